import Basics
import Crypto
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Content

@Suite struct GrantKeysTests {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)
    static let sha256 = String(repeating: "ab", count: 32)

    private func load(_ store: some KeyValueStore, after seconds: TimeInterval = 0) async throws -> GrantKeys {
        try await GrantKeys.load(from: store, at: Self.start + seconds) { SymmetricKey(size: .bits256) }
    }

    private func grant(_ keys: GrantKeys, after seconds: TimeInterval) -> String {
        let date = Self.start + seconds
        return GrantSigner(keys: keys).grant(for: Self.sha256, expires: GrantSigner.expiry(at: date), at: date)
    }

    private func opens(_ grant: String, _ keys: GrantKeys, after seconds: TimeInterval) -> Bool {
        GrantSigner(keys: keys).opens(Self.sha256, with: grant, at: Self.start + seconds)
    }

    @Test func `Replicas that start together share the key of links`() async throws {
        let store = MemoryKeyValueStore()
        var all: [GrantKeys] = []
        for _ in 0..<4 { all.append(try await load(LateReader(store: store, seen: [:]))) }
        for keys in all { for other in all { #expect(opens(grant(keys, after: 0), other, after: 1)) } }
        #expect(await store.values.count == 1)
    }

    @Test func `The key of links survives a restart`() async throws {
        let store = MemoryKeyValueStore()
        let before = grant(try await load(store), after: 0)
        #expect(opens(before, try await load(store, after: 60), after: 60))
        let other = MemoryKeyValueStore()
        #expect(!opens(before, try await load(other), after: 60))
    }

    @Test func `The key of links is rotated when older than 30 days`() async throws {
        let (store, month) = (MemoryKeyValueStore(), GrantKeys.rotationAge)
        #expect(month == 30 * 24 * 3600)
        let first = try await load(store)
        #expect(try await load(store, after: month).newest.number == first.newest.number)
        let second = try await load(store, after: month + 1)
        #expect(second.newest.number == 2 && second.previous?.number == 1)
        #expect(try await load(store, after: month + 2).newest.secret == second.newest.secret)
        #expect(second.newest.secret != first.newest.secret)
    }

    @Test func `Replicas that rotate together share the new key`() async throws {
        let (store, due) = (MemoryKeyValueStore(), GrantKeys.rotationAge + 1)
        _ = try await load(store)
        let seen = await store.values
        var all: [GrantKeys] = []
        for _ in 0..<4 { all.append(try await load(LateReader(store: store, seen: seen), after: due)) }
        #expect(Set(all.map { $0.newest.secret.withUnsafeBytes { Data($0) } }).count == 1)
        #expect(await store.values.count == 2)
    }

    @Test func `A link signed by the previous key opens, and one by the key before that does not`() async throws {
        let (store, due) = (MemoryKeyValueStore(), GrantKeys.rotationAge + 1)
        let old = grant(try await load(store), after: due - 10)
        #expect(opens(old, try await load(store, after: due), after: due))
        #expect(!opens(old, try await load(store, after: 2 * due), after: due))
    }

    /// A replica that loaded the keys just before the rotation opens all that the others sign until it loads again.
    @Test func `A new key signs only when every replica has it`() async throws {
        let (store, due) = (MemoryKeyValueStore(), GrantKeys.rotationAge + 1)
        _ = try await load(store)
        let behind = try await load(store, after: due - 1)
        let ahead = try await load(store, after: due)
        let (last, first) = (due + GrantKeys.settlingTime - 1, due + GrantKeys.settlingTime)
        #expect(opens(grant(ahead, after: last), behind, after: last))
        #expect(grant(ahead, after: last).hasPrefix("1.") && grant(ahead, after: first).hasPrefix("2."))
        #expect(opens(grant(behind, after: first), ahead, after: first))
    }

    @Test(arguments: [
        "", "{}", #"{"number":1,"created":0,"secret":"AAAA"}"#,
        #"{"number":0,"created":0,"secret":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="}"#,
    ])
    func `A broken stored key is an error that names it`(_ value: String) async {
        let store = MemoryKeyValueStore(["grants/keys/1": Data(value.utf8)])
        await #expect(throws: StoredKeyError.unreadable("grants/keys/1")) { try await load(store) }
    }

    @Test func `A short secret is never stored`() async {
        let store = MemoryKeyValueStore()
        await #expect(throws: StoredKeyError.invalidSecret("grants/keys/1")) {
            try await GrantKeys.load(from: store, at: Self.start) { SymmetricKey(size: .bits128) }
        }
        #expect(await store.values.isEmpty)
    }

    @Test func `A clock that is set back makes no second key`() async throws {
        let store = MemoryKeyValueStore()
        _ = try await load(store)
        #expect(try await load(store, after: -365 * 86_400).newest.number == 1)
    }
}
