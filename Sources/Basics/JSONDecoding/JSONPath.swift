/// The path to a value as a linked list, so that a step down costs the same at every depth.
final class JSONPath {
    private let parent: JSONPath?
    private let key: any CodingKey

    init(_ key: any CodingKey, after parent: JSONPath?) {
        self.parent = parent
        self.key = key
    }

    /// The keys from the top down.
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
