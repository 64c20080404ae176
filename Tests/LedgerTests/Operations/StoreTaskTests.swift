import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

extension TestLedger {
    /// Leases the tasks that are due for a minute: kind, app, environment, ID, and the account's digit.
    fileprivate func dueTasks(limit: Int = 99, on date: Date = today) async throws -> [String] {
        try await leaseTasks(limit: limit, on: date).map(\.text).sorted()
    }

    fileprivate func leaseTasks(limit: Int = 99, on date: Date = today) async throws -> [StoreTask] {
        try await ledger.dueStoreTasks(limit: limit, lease: date + 60, at: date)
    }

    fileprivate func taskTrail() async throws -> [String] { try await trail().filter { $0.hasPrefix("transaction.") } }
}

extension StoreTask {
    fileprivate var text: String { "\(key.kind) \(key.app) \(key.environment) \(key.id) \(account.text.suffix(1))" }
}

/// The requests to the store after deliveries and transfers.
@Suite struct StoreTaskTests {
    /// The shop, both of whose apps have their deliveries finished.
    static func finishing() throws -> Catalog {
        try catalog(shop.replacing(#""products": ["#, with: #""finishFromServer": true, "products": ["#))
    }

    /// A delivery, whether the app asks for it, and the tasks.
    static let deliveries: [(copy: Transaction, tasks: [String])] = [
        (bought("hints", "1"), ["finish hangman Production 1 1"]),
        (bought("hints", "1", on: day(1)), ["finish hangman Production 1 1"]),
        (bought("words", "1", original: "7"), ["finish hangman Production 1 1"]),
        (bought("hints", "1", app: "chess", .sandbox), ["finish chess Sandbox 1 1"]),
        (bought("hints", "1", app: "chess", .xcode), []),
        (bought("club.month", "1", on: day(90), until: day(120)), ["finish hangman Production 1 1"]),
        (bought("club.month", "1", on: day(69), until: day(99)), []),
        (bought("gone", "1"), []),
        (bought("hints", "1", .sandbox), []),
        (bought("hints", "1", revoked: day(91)), []),
    ]

    @Test(arguments: LedgerKind.allCases)
    func `A delivered transaction is to be finished where the app asks for it`(kind: LedgerKind) async throws {
        for (copy, tasks) in Self.deliveries {
            for (catalog, expected) in [(try Self.finishing(), tasks), (try catalog(), [])] {
                let ledger = try kind.open()
                try await ledger.join(1)
                for name in ["a", "b", "a"] { try await ledger.record(receipt(name), copy, in: catalog) }
                #expect(try await ledger.dueTasks() == expected, "\(copy)")
                #expect(try await ledger.rows("SELECT count(*) FROM storeTasks") == ["\(expected.count)"])
            }
        }
    }

    /// A notification delivers to the account that a token names, before the app sends anything.
    @Test(arguments: LedgerKind.allCases)
    func `A transaction that a notification delivered is finished once`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let context = RecordingContext(catalog: try Self.finishing(), date: today)
        _ = try await ledger.ledger.record(notification("n", bought("hints", "1", token: 1)), in: context)
        let task = try #require(try await ledger.leaseTasks().first)
        #expect(task.text == "finish hangman Production 1 1")
        #expect(try await ledger.dueTasks() == [])
        #expect(try await ledger.ledger.complete(task, .done, at: today))
        #expect(try await ledger.ledger.complete(task, .done, at: today) == false)
        try await ledger.record(receipt("a"), bought("hints", "1", token: 1), in: Self.finishing())
        #expect(try await ledger.dueTasks(on: day(200)) == [])
        #expect(
            try await ledger.taskTrail() == [
                #"transaction.finished 1 {"app":"hangman","environment":"Production","outcome":"done"}"#
            ])
    }

    /// A task stays until the store has answered, whatever happens to the server that has it now.
    @Test(arguments: LedgerKind.allCases)
    func `A task for the store is leased, and postponed until it has an answer`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        for id in ["1", "2", "3"] as [TransactionID] {
            try await ledger.record(receipt("\(id)"), bought("hints", id), in: Self.finishing())
        }
        #expect(try await ledger.leaseTasks(limit: 2).count == 2)
        #expect(try await ledger.leaseTasks().count == 1)
        #expect(try await ledger.leaseTasks(on: today + 59).isEmpty)
        let again = try await ledger.leaseTasks(on: today + 60)
        #expect(again.count == 3 && again.allSatisfy { $0.attempts == Attempts() && $0.date == today })
        let task = try #require(again.first { $0.key.id == "2" })
        try await ledger.ledger.postpone(task, attempts: Attempts(count: 3, badRequests: 1), until: day(101))
        let later = try await ledger.leaseTasks(on: day(101))
        #expect(later.first { $0.key.id == "2" }?.attempts == Attempts(count: 3, badRequests: 1))
        #expect(!task.isTooLate(at: day(130)) && task.isTooLate(at: day(130) + 1))
        for outcome in [StoreTask.Outcome.withoutKey, .switchedOff, .refused] {
            let id: TransactionID = outcome == .withoutKey ? "1" : outcome == .switchedOff ? "2" : "3"
            let task = try #require(later.first { $0.key.id == id })
            #expect(try await ledger.ledger.complete(task, outcome, at: today))
        }
        #expect(try await ledger.rows("SELECT * FROM storeTasks") == [])
        #expect(
            try await ledger.taskTrail() == [
                #"transaction.finished 3 {"app":"hangman","environment":"Production","outcome":"refused"}"#
            ])
    }

    /// By evidence, and by an administrator; presenting or naming an owner is no news for the store.
    @Test(arguments: LedgerKind.allCases)
    func `After a transfer the store is told the new owner`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        try await ledger.record(receipt("a"), bought("words", "8", original: "7"))
        try await ledger.record(receipt("b"), bought("words", "9", original: "7", token: 1))
        try await ledger.record(receipt("c"), bought("starter", "5", .xcode))
        try await ledger.record(receipt("d", by: 2), bought("starter", "5", .xcode, signed: day(92)))
        #expect(try await ledger.dueTasks() == [])
        try await ledger.record(receipt("e"), bought("night", "4"))
        try await ledger.record(receipt("f", by: 2), bought("night", "4", signed: day(92)))
        #expect(try await ledger.dueTasks() == ["setAccountToken hangman Production 4 2"])
        try await ledger.move("7", to: 3)
        try await ledger.move("7", to: 3)
        #expect(try await ledger.dueTasks() == ["setAccountToken hangman Production 7 3"])
        #expect(try await ledger.differences() == [])
    }

    /// The purchase moves on while the store is asked: the next request names the last owner, and comes after it.
    @Test(arguments: LedgerKind.allCases)
    func `After several transfers the store is told the last owner last`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1, 2, 3)
        try await ledger.record(receipt("a"), bought("words", "7"))
        try await ledger.move("7", to: 2)
        let first = try #require(try await ledger.leaseTasks().first)
        try await ledger.move("7", to: 3)
        #expect(try await ledger.dueTasks() == [])
        #expect(try await ledger.ledger.complete(first, .done, at: today) == false)
        try await ledger.ledger.postpone(first, attempts: Attempts(count: 9), until: day(300))
        let second = try #require(try await ledger.leaseTasks(on: today + 60).first)
        #expect(second.text == "setAccountToken hangman Production 7 3" && second.attempts == Attempts())
        #expect(try await ledger.ledger.complete(second, .done, at: today))
        #expect(
            try await ledger.taskTrail() == [
                #"transaction.tokenSet 7 {"app":"hangman","environment":"Production","outcome":"done"}"#
            ])
    }
}
