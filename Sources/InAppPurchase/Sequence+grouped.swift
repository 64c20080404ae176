extension Sequence {
    /// The elements with each key, in the order of the keys' first elements; those without a key are left out.
    package func grouped<Key: Hashable>(by key: (Element) -> Key?) -> [[Element]] {
        var places: [Key: Int] = [:]
        var groups: [[Element]] = []
        for element in self {
            guard let key = key(element) else { continue }
            if let place = places[key] {
                groups[place].append(element)
            } else {
                places[key] = groups.count
                groups.append([element])
            }
        }
        return groups
    }
}
