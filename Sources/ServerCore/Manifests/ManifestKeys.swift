package import Basics
import Crypto
package import Foundation
package import ServerHTTP

/// The keys that manifests and entitlements are signed with, shared by all replicas.
///
/// Each has a number. A new key is created, and listed in `GET /v1/keys`, long before it signs, so that apps and the
/// list of a root key know it by then; earlier keys stay listed, since their signatures stay valid, but for those that
/// a list left out.
package struct ManifestKeys: Sendable {
    /// In seconds, how long a key is listed before it signs: a root signs a list in time, and apps are updated.
    package static let announcement: TimeInterval = 90 * 86_400

    private let oldest: ManifestKey
    private let later: [ManifestKey]
    /// The newest list that a root key signed; `nil` if there is none.
    package let list: SignedKeyList?
    /// The numbers of those for which the root vouches, or of all without a root: IDs take long to compute.
    private let named: Set<Int>

    /// The keys, oldest first.
    package var all: [ManifestKey] { [oldest] + later }

    /// - Returns: `nil` without a key.
    private init?(_ keys: [ManifestKey], _ list: SignedKeyList?) {
        guard let oldest = keys.first else { return nil }
        self.oldest = oldest
        later = Array(keys.dropFirst())
        self.list = list
        named = Set(keys.filter { list?.list.names($0.id) ?? true }.map(\.number))
    }

    /// - Parameter days: how long a key signs before the next one does.
    private static func stored(_ days: Int) -> RotatingKeys<Curve25519.Signing.PrivateKey> {
        let time = Double(days) * 86_400
        return RotatingKeys(
            // The first one signs from its creation, each other one when it was announced.
            prefix: "manifests/keys/", rotationAge: { $0 == 1 ? time - announcement : time },
            read: { try? Curve25519.Signing.PrivateKey(rawRepresentation: $0) }, write: \.rawRepresentation)
    }

    /// Loads the keys, and creates the first one, or the next one if it must be listed by now. Replicas that create one
    /// at the same time all get the same.
    ///
    /// - Parameters:
    ///   - days: how long a key signs before the next one does, more than ``announcement``.
    ///   - makeSecret: returns a random key; called only if one is created.
    /// - Throws: `StoredKeyError` if a stored value is no key, ``KeyListError`` if it is no list, and what the store
    ///   throws.
    static func load(
        from store: some KeyValueStore, every days: Int, at date: Date,
        makeSecret: @Sendable () throws -> Curve25519.Signing.PrivateKey
    ) async throws -> ManifestKeys {
        let keys = try await stored(days).load(from: store, at: date, makeSecret: makeSecret)
        guard let found = ManifestKeys(keys, try await SignedKeyList.newest(in: store)) else {
            throw StoredKeyError.unreadable("manifests/keys/")
        }
        return found
    }

    /// The stored keys; creates none.
    ///
    /// - Returns: `nil` before a server has created one.
    /// - Throws: as ``load(from:every:at:makeSecret:)``.
    package static func stored(in store: some KeyValueStore) async throws -> ManifestKeys? {
        ManifestKeys(try await stored(0).stored(in: store), try await SignedKeyList.newest(in: store))
    }

    /// Creates the next key before its time, as when the present one was stolen.
    package func makingNext(
        in store: some KeyValueStore, at date: Date, random: RandomBytes
    ) async throws -> ManifestKeys {
        let last = later.last ?? oldest
        let next = try await Self.stored(0).makeNext(after: last, in: store, at: date) {
            try Curve25519.Signing.PrivateKey(rawRepresentation: random(32))
        }
        return ManifestKeys(all + [next], list) ?? self
    }

    /// From when a key signs, unless a list says otherwise.
    package func signsFrom(_ key: ManifestKey) -> Date {
        key.number == oldest.number ? key.created : key.created + Self.announcement
    }

    /// The newest key whose time has come. With a root only those that its list names: the last of them goes on until
    /// the list is signed anew. The first key of all signs at once.
    package func signing(at date: Date) -> ManifestKey {
        later.last { isNamed($0) && signsFrom($0) <= date } ?? all.first(where: isNamed) ?? oldest
    }

    /// Whether the root vouches for it, if there is one.
    package func isNamed(_ key: ManifestKey) -> Bool { named.contains(key.number) }

    /// The keys for which a root has yet to vouch: the newer ones than those that it did.
    package var unnamed: [ManifestKey] {
        Array(all.suffix(from: (all.lastIndex(where: isNamed).map { $0 + 1 }) ?? all.startIndex))
    }

    /// The keys that are published. One that a list left out was stolen or lost.
    package var published: [ManifestKey] {
        let new = Set(unnamed.map(\.number))
        return all.filter { isNamed($0) || new.contains($0.number) }
    }
}
