import AuditSeal
import Basics
import Crypto
import Foundation
import InAppPurchase
import Ledger
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Keys come and go; what they signed stays valid.
@Suite struct ManifestKeysTests {
    private static let day: TimeInterval = 86_400
    private static let year = 365

    private func keys(
        _ store: any KeyValueStore, _ age: TimeInterval, every days: Int = year
    ) async throws -> ManifestKeys {
        try await ManifestKeys.load(from: store, every: days, at: World.start + age) { Curve25519.Signing.PrivateKey() }
    }

    /// Each key signs for as many days as the setting says, and is listed for 90 days before.
    @Test(arguments: [91, 120, 365, 3_650]) func `A new key is listed 90 days before it signs`(days: Int) async throws {
        let store = try SQLiteLedger.inMemory(handlers: [])
        let time = Double(days) * Self.day
        func numbers(_ age: TimeInterval) async throws -> (listed: [Int], signing: Int) {
            let keys = try await keys(store, age, every: days)
            return (keys.published.map(\.number), keys.signing(at: World.start + age).number)
        }
        #expect(try await numbers(0) == ([1], 1))
        var listed = [1]
        for next in 2...4 {
            // A server looks for it now and then, so that each key comes a little later.
            let (begin, late) = (Double(next - 1) * time, Double(next) * 3_600)
            let due = begin - ManifestKeys.announcement
            #expect(try await numbers(due) == (listed, next - 1))
            listed.append(next)
            #expect(try await numbers(due + late) == (listed, next - 1))
            #expect(try await numbers(begin) == (listed, next - 1))
            #expect(try await numbers(begin + late) == (listed, next))
        }
        // A clock that was set back.
        #expect(try await numbers(-Self.day).signing == 1)
    }

    @Test func `Replicas get the same manifest keys`() async throws {
        let store = try SQLiteLedger.inMemory(handlers: [])
        let ids = try await withThrowingTaskGroup { group in
            for _ in 0..<9 { group.addTask { try await keys(store, 0).all.map(\.id) } }
            return try await group.reduce(into: Set<[String]>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test(arguments: ["{}", #"{"number":0,"created":0,"secret":"AA=="}"#, #"{"number":1,"created":0,"secret":"AA=="}"#])
    func `A broken manifest key is an error that names it`(text: String) async throws {
        let store = try SQLiteLedger.inMemory(handlers: [])
        try await store.set(["manifests/keys/1": Data(text.utf8)])
        await #expect(throws: StoredKeyError.unreadable("manifests/keys/1")) { try await keys(store, 0) }
    }

    // MARK: Root keys

    /// Without the root's word the present key goes on, past its date; after it the next one signs at its own.
    @Test func `A key that no list names does not sign`() async throws {
        let (ledger, root) = (try SQLiteLedger.inMemory(handlers: []), try RootKey(systemRandomBytes))
        let year = Double(Self.year) * Self.day
        try await sign(try await keys(ledger, 0), by: root, at: 0, in: ledger)
        let late = try await keys(ledger, year + 100 * Self.day)
        #expect(late.all.map(\.number) == [1, 2] && late.unnamed.map(\.number) == [2])
        #expect(late.published.map(\.number) == [1, 2], "it is announced")
        #expect(late.signing(at: World.start + year + 100 * Self.day).number == 1)
        try await sign(late, by: root, at: year + 100 * Self.day, in: ledger)
        let signed = try await keys(ledger, year + 100 * Self.day)
        #expect(signed.unnamed.isEmpty && signed.list?.list.version == 2)
        // It was made when it was asked for: then its 90 days began.
        #expect(signed.signing(at: World.start + year + 189 * Self.day).number == 1)
        #expect(signed.signing(at: World.start + year + 191 * Self.day).number == 2)
    }

    @Test func `A stolen key is left out, and the next one signs at once`() async throws {
        let (ledger, root) = (try SQLiteLedger.inMemory(handlers: []), try RootKey(systemRandomBytes))
        var keys = try await keys(ledger, 0)
        let stolen = keys.signing(at: World.start).id
        try await sign(keys, by: root, at: 0, in: ledger)
        keys = try await self.keys(ledger, 0).makingNext(in: ledger, at: World.start, random: systemRandomBytes)
        try await sign(keys, by: root, at: 0, without: stolen, in: ledger)
        let after = try await self.keys(ledger, 1)
        #expect(after.signing(at: World.start + 1).number == 2)
        #expect(after.published.map(\.number) == [2] && after.all.count == 2)
    }

    @Test func `Only a newer list of the ledger's own keys is published`() async throws {
        let (ledger, root) = (try SQLiteLedger.inMemory(handlers: []), try RootKey(systemRandomBytes))
        let keys = try await keys(ledger, 0)
        let other = try await self.keys(try SQLiteLedger.inMemory(handlers: []), 0)
        try await sign(keys, by: root, at: 0, in: ledger)
        let present = try await self.keys(ledger, 0)
        let set = JSONWebKeySet(keys).keys
        func list(_ version: Int, _ keys: [JSONWebKey], days: Double = 700) throws -> SignedKeyList {
            let end = World.start + days * Self.day
            return try SignedKeyList(KeyList(version: version, at: World.start, expires: end, keys: keys), by: root)
        }
        let refused = [
            try list(1, set, days: 701), try list(2, JSONWebKeySet(other).keys), try list(2, set, days: 0),
        ]
        for list in refused {
            await #expect(throws: KeyListError.self) {
                try await list.publish(to: ledger, over: present, by: .command(user: "a"), at: World.start)
            }
        }
        #expect(throws: KeyListError.self) { try list(2, []) }
        #expect(try await self.keys(ledger, 0).list?.jws == present.list?.jws)
        // The same one again changes nothing.
        try await present.list?.publish(to: ledger, over: present, by: .command(user: "a"), at: World.start)
        let page = try await ledger.newestAuditRows(of: nil, before: nil, limit: 10)
        #expect(page.map(\.kind) == ["keys.published"] && page.map(\.actor) == ["command:a"])
    }

    @Test func `A list is what the root in it has signed, to the last byte`() throws {
        let root = try RootKey(systemRandomBytes)
        let set = try JSONDecoder().decode(JSONWebKeySet.self, from: Data(Self.someKeys.utf8))
        let list = try KeyList(version: 7, at: World.start, expires: World.start + 1, keys: set.keys)
        let signed = try SignedKeyList(list, by: root)
        let read = try SignedKeyList(signed.jws)
        #expect(read.root == root.publicText && read.list == list && read.list.names("k") && !read.list.names("x"))
        for place in signed.jws.indices {
            var text = signed.jws
            text.replaceSubrange(place...place, with: text[place] == "A" ? "B" : "A")
            #expect(throws: KeyListError.self, "\(place)") { try SignedKeyList(text) }
        }
        for text in ["", "..", "a.b", signed.jws + ".", signed.jws + "="] {
            #expect(throws: KeyListError.self) { try SignedKeyList(text) }
        }
    }

    private static let someKeys = """
        {"keys": [{"kty": "OKP", "kid": "k", "x": "AA", "signsFrom": "2026-11-28T00:00:00Z", "purpose": "manifests"}]}
        """

    @Test func `A root key is a PEM file as others write it`() throws {
        let root = try RootKey(systemRandomBytes)
        #expect(try RootKey(pem: root.pem).publicText == root.publicText)
        // RFC 8410 §10.3.
        let example = """
            -----BEGIN PRIVATE KEY-----
            MC4CAQAwBQYDK2VwBCIEINTuctv5E1hK1bbY8fdp+K06/nwoy/HU++CXqI9EdVhC
            -----END PRIVATE KEY-----
            """
        #expect(try RootKey(pem: example).publicText == "Gb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE")
        for text in ["", "x", example.replacing("MC4C", with: "MC4D"), example.replacing("PRIVATE", with: "PUBLIC")] {
            #expect(throws: KeyListError.self) { try RootKey(pem: text) }
        }
    }

    private func sign(
        _ keys: ManifestKeys, by root: RootKey, at age: TimeInterval, without stolen: String? = nil,
        in ledger: any KeyValueStore & AuditLedger
    ) async throws {
        let date = World.start + age
        let list = try KeyList(
            version: (keys.list?.list.version ?? 0) + 1, at: date, expires: date + 700 * Self.day,
            keys: JSONWebKeySet(keys).keys.filter { $0.kid != stolen })
        try await SignedKeyList(list, by: root).publish(to: ledger, over: keys, by: .command(user: "a"), at: date)
    }
}
