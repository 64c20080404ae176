/// A value that was encoded and is not written yet: members are sorted when all are known.
enum JSONPiece {
    case null
    case bool(Bool)
    /// A number as it is written.
    case number(String)
    case integer(Int)
    case string(String)
    case array(Elements)
    case object(Members)
    /// The value that an encoder has when all is encoded.
    case later(PieceEncoder)

    /// The elements of an array, to which its containers append.
    final class Elements {
        var all: [JSONPiece] = []
    }

    /// The members of an object, to which its containers append. Of two with one name the later counts.
    final class Members {
        var all: [(name: String, value: JSONPiece)] = []
    }

    func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.appendNull()
        case .bool(let value): json.append(value)
        case .number(let text): json.append(number: text)
        case .integer(let value): json.append(value)
        case .string(let text): json.append(text)
        case .array(let elements):
            json.array { json in
                for element in elements.all {
                    json.element()
                    element.write(to: &json)
                }
            }
        case .later(let encoder): (encoder.result ?? .object(Members())).write(to: &json)
        case .object(let members):
            json.object { json in
                for member in members.sorted {
                    json.name(text: member.name)
                    member.value.write(to: &json)
                }
            }
        }
    }
}

extension JSONPiece.Members {
    fileprivate var sorted: [(name: String, value: JSONPiece)] {
        // By their bytes, as Foundation sorts them; `String` would compare characters.
        let order = all.indices.sorted { first, second in
            let (name, other) = (all[first].name, all[second].name)
            return name == other ? first < second : name.utf8.lexicographicallyPrecedes(other.utf8)
        }
        var sorted: [(name: String, value: JSONPiece)] = []
        sorted.reserveCapacity(all.count)
        for index in order {
            if sorted.last?.name == all[index].name { sorted.removeLast() }
            sorted.append(all[index])
        }
        return sorted
    }
}
