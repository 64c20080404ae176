extension Sequence {
    /// The elements with each key, in the order of the keys' first elements; those without a key are left out.
    package func grouped<Key: Hashable>(by key: (Element) -> Key?) -> [[Element]] {
        var indices: [Key: Int] = [:]
        var groups: [[Element]] = []
        for element in self {
            guard let key = key(element) else { continue }
            if let index = indices[key] {
                groups[index].append(element)
            } else {
                indices[key] = groups.count
                groups.append([element])
            }
        }
        return groups
    }
}
