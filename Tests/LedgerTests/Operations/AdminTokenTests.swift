import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

@Suite struct AdminTokenTests {
    private let actor = AuditActor.command(user: "root")

    private func create(_ name: String, _ digest: UInt8, _ role: AdminToken.Role = .read, in ledger: TestLedger)
        async throws
    {
        try await ledger.ledger.createAdminToken(
            AdminToken(name: name, role: role, createdAt: today), digest: Data([digest]), by: actor)
    }

    @Test(arguments: LedgerKind.allCases)
    func `An administrator's token is valid until it is revoked`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await create("alice", 1, .write, in: ledger)
        try await create("bob", 2, in: ledger)
        #expect(
            try await ledger.ledger.adminToken(digest: Data([1]))
                == AdminToken(name: "alice", role: .write, createdAt: today))
        await #expect(throws: LedgerRefusal.nameTaken) { try await create("alice", 3, in: ledger) }
        let alice = try await ledger.ledger.adminToken(named: "alice")
        #expect(alice?.role == .write && alice?.createdAt == today)
        #expect(try await ledger.ledger.adminToken(named: "Alice") == nil)
        #expect(try await ledger.ledger.revokeAdminToken(named: "alice", by: actor, at: day(101)))
        #expect(try await ledger.ledger.adminToken(named: "alice") == nil)
        #expect(try await !ledger.ledger.revokeAdminToken(named: "alice", by: actor, at: day(102)))
        #expect(try await ledger.ledger.adminToken(digest: Data([1])) == nil)
        #expect(try await ledger.ledger.adminToken(digest: Data([3])) == nil)
        try await create("alice", 4, in: ledger)
        #expect(try await ledger.ledger.adminToken(digest: Data([4]))?.role == .read)
        #expect(try await ledger.ledger.adminToken(named: "alice")?.role == .read)
        let all = try await ledger.ledger.adminTokens()
        #expect(all.map(\.name) == ["alice", "alice", "bob"] && all.compactMap(\.revokedAt) == [day(101)])
        #expect(
            try await ledger.acts() == [
                #"adminToken.created command:root alice {"role":"write"}"#,
                #"adminToken.created command:root bob {"role":"read"}"#, "adminToken.revoked command:root alice {}",
                #"adminToken.created command:root alice {"role":"read"}"#,
            ])
    }

    /// A token for some apps is read back with them, and the audit trail names them.
    @Test(arguments: LedgerKind.allCases)
    func `The apps of an administrator's token are stored with it`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let (chess, go) = (BundleID(stored: "com.example.chess"), BundleID(stored: "com.example.go, b\u{e9}ta"))
        let token = AdminToken(name: "carol", role: .write, reach: AdminReach([go, chess]), createdAt: today)
        try await ledger.ledger.createAdminToken(token, digest: Data([1]), by: actor)
        try await create("bob", 2, in: ledger)
        #expect(try await ledger.ledger.adminToken(digest: Data([1])) == token)
        #expect(try await ledger.ledger.adminToken(named: "carol") == token)
        #expect(try await ledger.ledger.adminTokens().map(\.reach) == [.everything, .apps([chess, go])])
        #expect(token.reach.includes(chess) && token.reach.includes(go) && !token.reach.includes("com.example.hangman"))
        #expect(
            try await ledger.acts().first == "adminToken.created command:root carol "
                + #"{"apps":["com.example.chess","com.example.go, béta"],"role":"write"}"#)
    }

    /// A token that is made before the first start says nothing about whose purchases the ledger will hold.
    @Test(arguments: LedgerKind.allCases)
    func `A ledger with an administrator's token only is still empty`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await create("alice", 1, in: ledger)
        #expect(try await ledger.ledger.isEmpty())
    }

    /// Names that could be mistaken for something else in a log are refused.
    @Test func `The name of an administrator's token is plain`() {
        for name in ["a", "alice", "A.b-c_9", "0", String(repeating: "x", count: 64)] {
            #expect(AdminToken.isName(name), "\(name)")
        }
        for name in ["", " ", "-a", ".a", "a b", "a\n", "a=b", "é", "a\u{301}", String(repeating: "x", count: 65)] {
            #expect(!AdminToken.isName(name), "\(name)")
        }
    }
}
