package import InAppPurchase

extension JSONValue {
    subscript(name: String) -> JSONValue {
        if case .object(let members) = self { members[name] ?? .null } else { .null }
    }

    var elements: [JSONValue] {
        if case .array(let elements) = self { elements } else { [] }
    }

    var text: String {
        if case .string(let text) = self { text } else { "" }
    }

    var names: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
}
