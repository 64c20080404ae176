/// A coding key: a member's name, or the position of an element.
struct JSONKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// The key of `super`, as in `JSONDecoder`.
    static let parent = JSONKey(stringValue: "super")
}
