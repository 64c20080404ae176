package import Foundation

/// The keys of one kind in a key-value store, from which all replicas load them.
package struct RotatingKeys<Secret: Sendable>: Sendable {
    private struct Stored: Codable {
        /// The number, as in the key's name. Keys of the audit trail that were made earlier have none.
        var number: Int?
        /// The date of creation, in milliseconds since 1970.
        var created: Int
        var secret: Data
    }

    /// The beginning of the keys' names in the store; their number follows.
    private let prefix: String
    private let rotationAge: @Sendable (Int) -> TimeInterval?
    private let read: @Sendable (Data) -> Secret?
    private let write: @Sendable (Secret) -> Data

    /// - Parameters:
    ///   - rotationAge: in seconds, the age at which the key with this number gets a successor; `nil` if it never does.
    ///   - read: the secret of these bytes; `nil` if they are none.
    ///   - write: the bytes of a secret.
    package init(
        prefix: String, rotationAge: @escaping @Sendable (Int) -> TimeInterval?,
        read: @escaping @Sendable (Data) -> Secret?,
        write: @escaping @Sendable (Secret) -> Data
    ) {
        self.prefix = prefix
        self.rotationAge = rotationAge
        self.read = read
        self.write = write
    }

    /// Loads the keys, and makes the first one, or the next one if the newest is too old. Replicas that make one at the
    /// same time all get the same.
    ///
    /// - Parameter makeSecret: a random secret; called only if a key is made.
    /// - Returns: at least one key, oldest first.
    /// - Throws: ``StoredKeyError``, and what the key-value store throws.
    package func load(
        from store: some KeyValueStore, at date: Date, makeSecret: @Sendable () throws -> Secret
    ) async throws -> [NumberedKey<Secret>] {
        let keys = try await stored(in: store)
        if let newest = keys.last, !isOutdated(newest, at: date) { return keys }
        return try await keys + [makeNext(after: keys.last, in: store, at: date, makeSecret: makeSecret)]
    }

    /// Makes the key after `last`, or the first one. Replicas that make it at the same time all get the same.
    ///
    /// - Throws: as ``load(from:at:makeSecret:)``.
    package func makeNext(
        after last: NumberedKey<Secret>?, in store: some KeyValueStore, at date: Date,
        makeSecret: @Sendable () throws -> Secret
    ) async throws -> NumberedKey<Secret> {
        let number = (last?.number ?? 0) + 1
        let name = prefix + String(number)
        let value = try encode(NumberedKey(number: number, created: date, secret: makeSecret()), as: name)
        return try decode(try await store.establish(value, forKey: name), as: name)
    }

    /// The stored keys, oldest first. Makes none.
    ///
    /// - Throws: ``StoredKeyError``, and what the key-value store throws.
    package func stored(in store: some KeyValueStore) async throws -> [NumberedKey<Secret>] {
        try await store.values(withPrefix: prefix).map { try decode($1, as: $0) }.sorted { $0.number < $1.number }
    }

    private func isOutdated(_ key: NumberedKey<Secret>, at date: Date) -> Bool {
        rotationAge(key.number).map { date.timeIntervalSince(key.created) > $0 } ?? false
    }

    private func decode(_ value: Data, as name: String) throws(StoredKeyError) -> NumberedKey<Secret> {
        let numbers = 1..<Int.max
        guard let stored = try? JSONDecoder().decode(Stored.self, from: value),
            stored.number.map(numbers.contains) ?? true,
            let number = Int(name.dropFirst(prefix.count)) ?? stored.number, numbers.contains(number),
            let secret = read(stored.secret)
        else { throw .unreadable(name) }
        let created = Date(timeIntervalSince1970: Double(stored.created) / 1000)
        return NumberedKey(number: number, created: created, secret: secret)
    }

    private func encode(_ key: NumberedKey<Secret>, as name: String) throws -> Data {
        let secret = write(key.secret)
        guard read(secret) != nil, let created = Int(exactly: (key.created.timeIntervalSince1970 * 1000).rounded())
        else { throw StoredKeyError.invalidSecret(name) }
        return try JSONEncoder().encode(Stored(number: key.number, created: created, secret: secret))
    }
}

/// A key that cannot be loaded from, or written to, a key-value store.
package enum StoredKeyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The value stored under this name is no key of its kind.
    case unreadable(String)
    /// The secret that was made for this name is no secret of its kind; it was not stored.
    case invalidSecret(String)

    package var description: String {
        switch self {
        case .unreadable(let name): "\(name) is no key"
        case .invalidSecret(let name): "the secret made for \(name) is invalid"
        }
    }
}
