/// A value on the heap: whoever copies what contains it copies a reference. For large values that are copied often and
/// change rarely; a change replaces the box.
package struct Boxed<Value: Sendable>: Sendable {
    private final class Storage: Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    private let storage: Storage

    package init(_ value: Value) { storage = Storage(value) }

    package var value: Value { storage.value }
}

extension Boxed: Equatable where Value: Equatable {
    package static func == (one: Self, other: Self) -> Bool {
        one.storage === other.storage || one.value == other.value
    }
}

extension Boxed: Hashable where Value: Hashable {
    package func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// As the value alone.
extension Boxed: Codable where Value: Codable {
    package init(from decoder: any Decoder) throws { self.init(try Value(from: decoder)) }

    package func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}
