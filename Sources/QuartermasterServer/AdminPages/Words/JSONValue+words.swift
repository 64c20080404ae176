import InAppPurchase

extension JSONValue {
    /// The value on one line; of objects and lists what is in them.
    var words: String {
        switch self {
        case .null: "none"
        case .string(let text): text
        case .integer(let number): "\(number)"
        case .number(let number): "\(number)"
        case .bool(let flag): flag ? "yes" : "no"
        case .array(let values): values.isEmpty ? "none" : values.map(\.words).joined(separator: ", ")
        case .object(let members):
            members.isEmpty
                ? "none" : members.sorted { $0.key < $1.key }.map { "\($0) \($1.words)" }.joined(separator: ", ")
        }
    }
}
