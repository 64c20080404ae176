/// The way to a value, one step a level, so that to go down costs the same at every depth.
final class JSONPath {
    private let parent: JSONPath?
    private let key: any CodingKey

    init(_ key: any CodingKey, after parent: JSONPath?) {
        self.parent = parent
        self.key = key
    }

    /// From the top down.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var step: JSONPath? = self
        while let current = step {
            keys.append(current.key)
            step = current.parent
        }
        return keys.reversed()
    }
}

/// A member's name, or the position of an element.
struct JSONKey: CodingKey {
    var stringValue: String
    var intValue: Int?

    init(stringValue: String) { self.stringValue = stringValue }

    init(intValue: Int) {
        stringValue = "Index \(intValue)"
        self.intValue = intValue
    }

    /// The key of `super`, as `JSONDecoder` has it.
    static let parent = JSONKey(stringValue: "super")
}
