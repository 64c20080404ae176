import Foundation
import InAppPurchase
import Ledger
import Testing

@testable import LedgerSQL

/// Writes that are sent without waiting for them: nobody can tell, except by the time it takes.
@Suite struct SentWritesTests {
    private struct Refusal: Error {}

    private func open(_ kind: LedgerKind) throws -> SQLLedger { try #require(try kind.open().ledger as? SQLLedger) }

    @Test(arguments: LedgerKind.allCases) func `Statements after a sent write see it`(kind: LedgerKind) async throws {
        let ledger = try open(kind)
        let seen = try await ledger.database.write { db in
            try db.put("a", 1)
            try db.put("b", 2)
            let sent = try db.keys
            try? db.savepoint {
                try db.put("c", 3)
                #expect(try db.keys == ["a", "b", "c"])
                try db.put("d", 4)
                throw Refusal()
            }
            try? db.savepoint {
                try db.put("e", 5)
                throw Refusal()
            }
            try db.savepoint {
                try db.put("f", 6)
                try? db.savepoint {
                    try db.put("g", 7)
                    throw Refusal()
                }
            }
            try db.put("h", 8)
            return sent
        }
        #expect(seen == ["a", "b"])
        #expect(try await ledger.database.read { try $0.keys } == ["a", "b", "f", "h"])
    }

    /// Whether or not it shows before the savepoint ends.
    @Test(arguments: LedgerKind.allCases, [false, true])
    func `A sent write that fails leaves those of other savepoints`(kind: LedgerKind, asks: Bool) async throws {
        let ledger = try open(kind)
        let failed = try await ledger.database.write { db in
            var failed: [Int] = []
            for number in 0..<3 {
                do {
                    try db.savepoint {
                        try db.put("\(number)", 1)
                        if number == 1 { try db.put("0", 2) }
                        if asks { _ = try db.keys }
                        try db.put("\(number) too", 3)
                    }
                } catch is LedgerUnavailable { failed.append(number) }
            }
            return failed
        }
        #expect(failed == [1])
        #expect(try await ledger.database.read { try $0.keys } == ["0", "0 too", "2", "2 too"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A sent write that fails is reported at the end of the transaction`(kind: LedgerKind) async throws {
        let ledger = try open(kind)
        try await ledger.set(["a": Data([1])])
        let error = await #expect(throws: LedgerUnavailable.self) {
            try await ledger.database.write { db in
                _ = try db.keys
                try db.put("b", 1)
                try db.put("a", 2)
            }
        }
        #expect(error?.detail.contains("whether it was written") == false)
        #expect(try await ledger.database.read { try $0.keys } == ["a"])
        try await ledger.database.write { try $0.put("c", 3) }
        #expect(try await ledger.database.read { try $0.keys } == ["a", "c"])
    }

    @Test(arguments: LedgerKind.allCases) func `A thrown error rolls back sent writes`(kind: LedgerKind) async throws {
        let ledger = try open(kind)
        for asks in [true, false] {
            await #expect(throws: Refusal.self) {
                try await ledger.database.write { db in
                    if asks { _ = try db.keys }
                    try db.put("a", 1)
                    throw Refusal()
                }
            }
        }
        try await ledger.database.write { try $0.put("b", 2) }
        #expect(try await ledger.database.read { try $0.keys } == ["b"])
    }

    @Test(arguments: LedgerKind.allCases)
    func `A rolled back transaction leaves the next one as it is`(kind: LedgerKind) async throws {
        let ledger = try open(kind)
        await #expect(throws: Refusal.self) {
            try await ledger.database.write { db in
                try db.savepoint { try db.put("a", 1) }
                try db.put("b", 2)
                throw Refusal()
            }
        }
        try await ledger.database.write { try $0.put("a", 3) }
        #expect(try await ledger.database.read { try $0.keys } == ["a"])
    }
}

extension SQLTransaction {
    /// Fails where the key exists.
    fileprivate func put(_ key: String, _ value: UInt8) throws {
        try send("INSERT INTO keyValues (key, value) VALUES (?, ?)", [key, Data([value])])
    }

    fileprivate var keys: [String] {
        get throws { try all("SELECT key FROM keyValues ORDER BY key", []).map { try $0["key"] } }
    }
}
