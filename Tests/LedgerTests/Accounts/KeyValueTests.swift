import Basics
import Foundation
import InAppPurchase
import StrictJSON
import Testing

@Suite struct KeyValueTests {
    static let keys = [
        "", "a", "a/", "a/b", "a/b/c", "a0", "A/b", "a%", "a_b", "a/é", "a/😀", "a/\u{10FFFF}", "a/\u{10FFFF}/x",
        "a\0", "a\0b", "\0", "é", "éa", "\u{FFFF}", "😀", "😀/1", "\u{10FFFF}", "z",
    ]

    @Test(arguments: LedgerKind.allCases)
    func `A stored value is read back by its exact key`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        #expect(try await ledger.ledger.value(forKey: "a") == nil)
        try await ledger.ledger.set(["a": Data([1]), "b": Data()])
        try await ledger.ledger.set(["a": Data([2])])
        #expect(try await ledger.ledger.value(forKey: "a") == Data([2]))
        #expect(try await ledger.ledger.value(forKey: "b") == Data())
        #expect(try await ledger.ledger.value(forKey: "A") == nil)
    }

    @Test(arguments: LedgerKind.allCases)
    func `Values are found by the prefix of their keys`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let values = Dictionary(uniqueKeysWithValues: Self.keys.map { ($0, Data($0.utf8)) })
        try await ledger.ledger.set(values)
        for prefix in Self.keys + ["a/b/c/d", "b", "%", "_"] {
            let expected = values.filter { $0.key.utf8.starts(with: prefix.utf8) }
            #expect(try await ledger.ledger.values(withPrefix: prefix) == expected, "prefix \(prefix.debugDescription)")
        }
    }

    @Test(arguments: LedgerKind.allCases)
    func `A value is established only where there is none`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        #expect(try await ledger.ledger.establish(Data([1]), forKey: "a") == Data([1]))
        #expect(try await ledger.ledger.establish(Data([2]), forKey: "a") == Data([1]))
        try await ledger.ledger.set(["a": Data([3])])
        #expect(try await ledger.ledger.establish(Data([2]), forKey: "a") == Data([3]))
    }

    @Test(arguments: LedgerKind.allCases) func `Values are removed by their exact keys`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.ledger.set(["a": Data([1]), "a/b": Data([2]), "b": Data([3])])
        try await ledger.ledger.removeValues(forKeys: ["a", "b", "c"])
        #expect(try await ledger.ledger.values(withPrefix: "") == ["a/b": Data([2])])
        try await ledger.ledger.removeValues(forKeys: [])
        #expect(try await ledger.ledger.establish(Data([4]), forKey: "a") == Data([4]))
    }

    @Test(arguments: LedgerKind.allCases)
    func `Many that establish a value at once get the same one`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        let answers = try await withThrowingTaskGroup { group in
            for number in UInt8(0)..<50 {
                group.addTask { try await ledger.ledger.establish(Data([number]), forKey: "key") }
            }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(answers.first == (try await ledger.ledger.value(forKey: "key")))
    }

    /// Two replicas, or the command line beside a server.
    @Test func `Two processes with the file open establish the same value`() async throws {
        let file = try LedgerFile()
        let ledgers = [try file.open(), try file.open()]
        let answers = try await withThrowingTaskGroup { group in
            for (number, ledger) in zip(UInt8(0)..., ledgers + ledgers + ledgers) {
                group.addTask { try await ledger.ledger.establish(Data([number]), forKey: "key") }
            }
            return try await group.reduce(into: Set<Data>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
    }
}
