import Basics
import Crypto
import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@testable import AuditSeal
@testable import LedgerSQL
@testable import LedgerSQLite

/// One server seals when it is due, and each row is sealed once.
@Suite struct SealerTests {
    @Test func `Sealing a trail without new rows changes nothing`() async throws {
        let trail = try await SealedTrail.make(seed: 20)
        try await trail.seal(at: moment(100), isLast: true)
        let before = try await trail.export()
        #expect(try await trail.seal(at: moment(1_000_000), isLast: true) == nil)
        #expect(try await trail.export() == before)
    }

    @Test func `A checkpoint is signed after a time, after a number of rows, and at the end`() async throws {
        let trail = try SealedTrail()
        var generator = SeededGenerator(seed: 21)
        #expect(try await trail.seal() == nil, "nothing to sign for")
        try await trail.append(1, using: &generator)
        #expect(try await trail.seal(at: moment(0))?.position == 1, "the first at once")
        try await trail.append(1, using: &generator)
        #expect(try await trail.seal(at: moment(59)) == nil)
        #expect(try await trail.seal(at: moment(60))?.position == 2)
        try await trail.append(1, using: &generator)
        #expect(try await trail.seal(at: moment(61)) == nil)
        #expect(try await trail.seal(at: moment(61), isLast: true)?.position == 3)
        try await trail.append(1, using: &generator)
        #expect(try await trail.seal(at: moment(-3_600))?.position == 4, "the clock was set back")
        #expect(try await trail.verify().checkpoints == 4)
    }

    /// The process ends after the rows were sealed and before the checkpoint was signed: the next start signs it.
    @Test func `A checkpoint that a crash prevented is signed at the next start`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "seal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "ledger.sqlite").path
        var generator = SeededGenerator(seed: 22)
        do {
            let trail = try SealedTrail(path: path)
            try await trail.append(5, using: &generator)
            #expect(try await trail.ledger.sealRows(atMost: 3, at: moment(0)) { Seal($0, after: $1?.place) } == 3)
        }
        let trail = try SealedTrail(path: path)
        let summary = try await trail.verify()
        #expect(summary.hash != nil)
        #expect(summary == TrailSummary(sealed: 3, unsealed: 2, position: 3, hash: summary.hash))
        #expect(try await trail.seal()?.position == 5)
        #expect(try await trail.verify().unsealed == 0)
    }

    /// Two processes on one file, and one that writes.
    @Test func `Several sealers on one file make one chain`() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "seal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "ledger.sqlite").path
        let trails = try (0..<3).map { _ in try SealedTrail(path: path) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var generator = SeededGenerator(seed: 23)
                try await trails[2].append(120, using: &generator)
            }
            for trail in trails.prefix(2) {
                group.addTask {
                    for round in 0..<40 {
                        _ = try await trail.ledger.sealRows(atMost: 3, at: moment(0)) { Seal($0, after: $1?.place) }
                        try await trail.seal(at: moment(round), isLast: round.isMultiple(of: 2))
                    }
                }
            }
            try await group.waitForAll()
        }
        try await trails[0].seal(at: moment(99), isLast: true)
        let summary = try await trails[1].verify()
        #expect(summary.sealed == 120 && summary.unsealed == 0 && summary.lastCheckpoint?.position == 120)
    }

    @Test func `A trail longer than one batch is sealed, erased and verified as a whole`() async throws {
        let trail = try SealedTrail()
        try await trail.execute(
            """
            WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2500)
            INSERT INTO audit (at, kind, contentHash) SELECT i, 'account.created', x'00' FROM n
            """)
        #expect(try await trail.seal()?.position == 2_500)
        try await trail.erase([1...2_500])
        #expect(try await trail.verify().erased == 2_500)
    }

    /// Nothing done through SQL changes a seal or removes one.
    @Test(arguments: [
        "DELETE FROM auditSeals", "DELETE FROM auditCheckpoints WHERE position = 4",
        "UPDATE auditSeals SET hash = x'00'", "UPDATE auditCheckpoints SET at = 0",
        "REPLACE INTO auditSeals SELECT * FROM auditSeals WHERE position = 1",
        "REPLACE INTO auditSeals SELECT 99, sequence, hash FROM auditSeals WHERE position = 1",
        "REPLACE INTO auditCheckpoints SELECT * FROM auditCheckpoints",
        "INSERT INTO auditSeals VALUES (13, 999, x'00')",
        "INSERT INTO auditCheckpoints VALUES (99, x'00', 0, 'k', x'')",
    ])
    func `Seals and checkpoints cannot be changed, deleted or replaced through SQL`(change: String) async throws {
        let trail = try await SealedTrail.make(seed: 24)
        let before = try await trail.export()
        await #expect(throws: (any Error).self) { try await trail.execute(change) }
        #expect(try await trail.export() == before)
    }
}

/// The bytes are those of docs/develop/audit-trail.md, computed by another program.
@Suite struct VectorTests {
    @Test func `The seals of two rows have the documented hashes`() throws {
        let content = #"{"name":"café"}"#
        let first = AuditRow(
            sequence: 1, date: Date(milliseconds: 1_795_000_000_123), kind: "account.created", actor: nil,
            account: AccountID(text: "0b0e7c1e-0000-4000-8000-00000000000a"), subject: nil, content: content,
            contentHash: Data(SHA256.hash(data: Data(content.utf8))))
        let second = AuditRow(
            sequence: 3, date: Date(milliseconds: 1_795_000_001_000), kind: "product.added", actor: "admin:alice",
            account: nil, subject: "a,1:b", content: nil, contentHash: Data(SHA256.hash(data: Data("{}".utf8))))
        let seal = Seal(first, after: nil)
        #expect(seal.hash.hex == "bab78b877753e9a2277a1ab712d91e0cd34ce0b21b056d387025061d6b5b2069")
        #expect(
            Seal(second, after: seal.place).hash.hex
                == "b05c8088309365ccd66c2dcb5af8e9601e2cae3b44593bd1425ed584051fec91")
    }

    /// The key of RFC 8037, appendix A.
    @Test func `An audit key has the ID and form of RFC 8037, and keys for other uses are skipped`() throws {
        let secret = try #require(Data(base64Encoded: "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A="))
        let key = AuditKey(try Curve25519.Signing.PrivateKey(rawRepresentation: secret)).verifying
        #expect(key.id == "kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k")
        #expect(key.bytes.base64URL == "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo")
        let set = try JSONDecoder().decode(JSONWebKeySet.self, from: try JSONEncoder().encode(JSONWebKeySet([key])))
        #expect(try set.verifying().map(\.id) == [key.id])
        var more = set
        more.add(
            try Curve25519.Signing.PrivateKey(rawRepresentation: secret).publicKey, for: "other things",
            signsFrom: "2026-11-28T00:00:00Z")
        let read = try JSONDecoder().decode(JSONWebKeySet.self, from: try JSONEncoder().encode(more))
        #expect(try read.verifying().map(\.id) == [key.id], "what is for other things checks no checkpoint")
    }

    @Test func `A key set with a malformed key is refused`() throws {
        let bad = [
            #"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "AA", "kid": "k"}]}"#,
            #"{"keys": [{"kty": "OKP", "crv": "Ed25519"}]}"#,
            #"{"keys": [{"kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}]}"#,
        ]
        for text in bad {
            let set = try JSONDecoder().decode(JSONWebKeySet.self, from: Data(text.utf8))
            #expect(throws: AuditKeyError.self) { try set.verifying() }
        }
        let other = #"{"keys": [{"kty": "RSA", "n": "AA", "e": "AQAB"}]}"#
        #expect(try JSONDecoder().decode(JSONWebKeySet.self, from: Data(other.utf8)).verifying().isEmpty)
    }

    @Test func `Servers that start together make one audit key`() async throws {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        #expect(try await AuditKeys.verifying(in: ledger).isEmpty)
        let ids = try await withThrowingTaskGroup { group in
            for byte in UInt8(1)...9 {
                group.addTask {
                    try await AuditKeys.load(from: ledger, at: moment(0)) { try SealedTrail.key(byte).secret }
                        .newest.verifying.id
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
        #expect(try await AuditKeys.verifying(in: ledger).map(\.id) == Array(ids))
        // A second key signs from then on; the first one still verifies.
        let stored = try #require(try await ledger.value(forKey: "audit/keys/1"))
        let text = String(decoding: stored, as: UTF8.self)
        let secret = Data(repeating: 77, count: 32).base64EncodedString()
        let next = text.replacing(/"secret":"[^"]*"/, with: #""secret":"\#(secret)""#)
        for number in [2, 10] { try await ledger.set(["audit/keys/\(number)": Data(next.utf8)]) }
        let keys = try await AuditKeys.load(from: ledger, at: moment(0)) { try SealedTrail.key(1).secret }
        #expect(keys.verifying.count == 3 && keys.verifying.first?.id == ids.first)
        #expect(keys.newest.verifying.id == (try SealedTrail.key(77).verifying.id))
        try await ledger.set(["audit/keys/2": Data("{}".utf8)])
        await #expect(throws: StoredKeyError.unreadable("audit/keys/2")) { try await AuditKeys.verifying(in: ledger) }
    }
}
