package import StrictJSON

extension JSONValue {
    /// Whether ``write(to:)`` writes the value: fractions are left to Foundation's encoder, and so are members whose
    /// names are not plain ASCII letters and digits, which it sorts by rules of its own.
    package var isPlain: Bool {
        switch self {
        case .null, .bool, .integer, .string: true
        case .number: false
        case .array(let values): values.allSatisfy(\.isPlain)
        case .object(let values): values.arePlain
        }
    }

    /// Writes the value as the canonical encoder does.
    package func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.appendNull()
        case .bool(let value): json.append(value)
        case .integer(let value): json.append(value)
        case .number: json.appendNull()
        case .string(let text): json.append(text)
        case .array(let values):
            json.array { json in
                for value in values {
                    json.element()
                    value.write(to: &json)
                }
            }
        case .object(let values): values.write(to: &json)
        }
    }
}

extension [String: JSONValue] {
    /// See ``JSONValue/isPlain``.
    package var arePlain: Bool { allSatisfy { name, value in value.isPlain && name.utf8.allSatisfy(\.isPlainInName) } }

    /// Writes the object as the canonical encoder does, its members sorted by name.
    package func write(to json: inout JSONWriter) {
        json.object { json in
            for (name, value) in sorted(by: { $0.key < $1.key }) {
                json.name(text: name)
                value.write(to: &json)
            }
        }
    }
}

extension UInt8 {
    fileprivate var isPlainInName: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
