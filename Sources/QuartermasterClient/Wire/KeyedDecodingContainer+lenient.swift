import Foundation

extension KeyedDecodingContainer {
    /// A member, or `nil` if it is absent, `null`, or of another type: servers newer than the app may change what the
    /// app can do without.
    func lenient<Value: Decodable>(_ type: Value.Type, _ key: Key) -> Value? {
        (try? decodeIfPresent(type, forKey: key)) ?? nil
    }

    /// The elements of an array that can be read; those that cannot are left out.
    func lenient<Element: Decodable>(elements type: Element.Type, _ key: Key) -> [Element]? {
        lenient([LenientElement<Element>].self, key)?.compactMap(\.value)
    }

    /// The time of a member, as `2026-11-22T04:00:00Z` with or without milliseconds.
    func lenientTime(_ key: Key) -> Date? { lenient(String.self, key).flatMap(WireTime.init)?.date }
}

/// An element of an array, or nothing if it cannot be read.
private struct LenientElement<Value: Decodable>: Decodable {
    let value: Value?

    init(from decoder: any Decoder) { value = try? Value(from: decoder) }
}
