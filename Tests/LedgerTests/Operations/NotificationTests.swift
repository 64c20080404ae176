import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Notifications of the store.
@Suite struct NotificationTests {
    private func open(_ kind: LedgerKind) async throws -> TestLedger {
        let ledger = try kind.open()
        try await ledger.join(1, 2)
        return ledger
    }

    /// A notification with a token that names an account delivers at once, and once.
    @Test(arguments: LedgerKind.allCases)
    func `A notification delivers once to the account that its token names`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let reported = notification("n1", bought("starter", "1", token: 1))
        #expect(try await ledger.receive(reported) == Observation(changed: 1, owners: [account(1)]))
        #expect(try await ledger.holdings(of: 1) == "= hangman starter non-consumable granted [starter]\n+ hints 3")
        let everything = try await ledger.everything()
        #expect(try await ledger.receive(reported) == nil)
        #expect(try await ledger.everything() == everything)
        #expect(
            try await ledger.record(receipt("a"), bought("starter", "1", token: 1)) == """
                verified finish
                1 starter: delivered
                = hangman starter non-consumable granted [starter]
                + hints 3
                """)
        #expect(
            try await ledger.record(receipt("b"), bought("starter", "1", token: 1))
                .contains("1 starter: already delivered"))
    }

    /// The owner of the purchase shows when somebody presents it; what was reported until then counts, by the terms of
    /// then.
    @Test(arguments: LedgerKind.allCases)
    func `A purchase known from notifications waits for an owner`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        #expect(
            try await ledger.receive(notification("n1", bought("hints", "1"), bought("hints", "2", original: "1")))
                == Observation(changed: 2, unclaimed: 2))
        #expect(try await ledger.holdings(of: 1) == "")
        let dearer = try catalog(shop.replacing(#""credits": {"hints": 10}"#, with: #""credits": {"hints": 99}"#))
        #expect(
            try await ledger.record(receipt("a"), bought("hints", "1"), in: dearer)
                == "verified finish\n1 hints: delivered\n= hangman hints consumable denied consumed\n+ hints 10")
        #expect(try await ledger.differences().isEmpty)
    }

    /// A refund that comes before the purchase is kept for it.
    @Test(arguments: LedgerKind.allCases)
    func `A refund that is reported before the purchase counts`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.receive(notification("n1", bought("hints", "1", revoked: day(95), signed: day(95))))
        #expect(
            try await ledger.record(receipt("a"), bought("hints", "1"))
                == "verified finish\n1 hints: denied revoked\n= hangman hints consumable denied revoked")
    }

    /// Access and credits end with the refund, and come back with its reversal, which a late refund does not undo.
    @Test(arguments: LedgerKind.allCases)
    func `A refund takes access and credits, and its reversal gives them back`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("starter", "1"))
        let refund = bought("starter", "1", revoked: day(95), signed: day(95))
        let reversal = bought("starter", "1", signed: day(97))
        try await ledger.receive(notification("n1", refund))
        #expect(
            try await ledger.holdings(of: 1) == "= hangman starter non-consumable denied revoked [starter]\n+ hints 0")
        try await ledger.receive(notification("n2", reversal))
        let restored = "= hangman starter non-consumable granted [starter]\n+ hints 3"
        #expect(try await ledger.holdings(of: 1) == restored)
        try await ledger.receive(notification("n3", refund))
        #expect(try await ledger.holdings(of: 1) == restored)
    }

    /// A notification shows nothing: it takes no original transaction from its owner, unless the owner only presented
    /// it first.
    @Test(arguments: LedgerKind.allCases)
    func `A notification takes no purchase from an owner whom a token named`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        try await ledger.record(receipt("a"), bought("words", "1"))
        try await ledger.record(receipt("b"), bought("words", "2", token: 1))
        try await ledger.receive(notification("n1", bought("words", "1", signed: day(99))))
        #expect(
            try await ledger.rows("SELECT owner, basis FROM lines WHERE originalID = '1'").joined()
                == "\(account(1).text) presented")
        try await ledger.receive(notification("n2", bought("words", "1", token: 2, signed: day(99))))
        try await ledger.receive(notification("n3", bought("words", "2", token: 2, signed: day(99))))
        #expect(
            try await ledger.rows("SELECT originalID, owner, basis FROM lines ORDER BY originalID")
                == ["1 \(account(2).text) token", "2 \(account(1).text) token"])
    }

    /// A bare ID does not prove that the caller bought: it delivers only to the account that the token names.
    @Test(arguments: LedgerKind.allCases)
    func `A bare transaction ID delivers only to the account that the token names`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let bare = receipt("1", kind: .transactionID)
        let conflict = "conflict keep\n1 words: denied ownedByAnotherAccount"
        #expect(try await ledger.record(bare, bought("words", "1")) == conflict)
        #expect(
            try await ledger.record(receipt("2", kind: .transactionID), bought("words", "2", token: 2))
                == conflict.replacing("1 words", with: "2 words"))
        #expect(try await ledger.holdings(of: 2).contains("words non-consumable granted"))
        #expect(
            try await ledger.record(receipt("3", kind: .transactionID), bought("words", "3", token: 1))
                == "verified finish\n3 words: delivered\n= hangman words non-consumable granted [hard-words]")
        #expect(try await ledger.differences().isEmpty)
    }

    /// The notifications of one app do not keep those of others from being asked about.
    @Test(arguments: LedgerKind.allCases)
    func `Each app has its share of the notifications that are asked about`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        for (number, app) in (Array(repeating: "a", count: 9) + ["b", nil]).enumerated() {
            var reported = notification("\(app ?? "-")\(number)")
            reported.app = app.map(BundleID.init(stored:))
            #expect(try await ledger.ledger.enqueue(reported, retryAt: today + Double(number), at: today))
        }
        func due() async throws -> [String] {
            try await ledger.ledger.dueNotifications(limit: 4, lease: day(300), at: day(101)).map(\.notification.id)
                .sorted()
        }
        #expect(try await due() == ["-10", "a0", "a1", "b9"])
        #expect(try await due() == ["a2", "a3", "a4", "a5"])
        #expect(try await due() == ["a6", "a7", "a8"])
    }

    /// Proven later: recorded at once, asked about until there is an answer, and applied once.
    @Test(arguments: LedgerKind.allCases)
    func `A notification without proof waits for it and is applied once`(kind: LedgerKind) async throws {
        let ledger = try await open(kind)
        let reported = notification("v1")
        #expect(try await ledger.ledger.enqueue(reported, retryAt: today, at: today))
        #expect(try await !ledger.ledger.enqueue(reported, retryAt: today + 5, at: today))
        let due = try await ledger.ledger.dueNotifications(limit: 9, lease: today + 60, at: today)
        #expect(due.map(\.notification.id) == ["v1"] && due.first?.notification.content == "content of v1")
        #expect(try await ledger.ledger.dueNotifications(limit: 9, lease: today + 60, at: today + 59).isEmpty)
        try await ledger.ledger.postpone(
            notification: "v1", attempts: Attempts(count: 3, ambiguous: 1), until: today + 70)
        #expect(try await ledger.ledger.dueNotifications(limit: 9, lease: today + 99, at: today + 69).isEmpty)
        #expect(
            try await ledger.ledger.dueNotifications(limit: 9, lease: today + 99, at: today + 70).first?.attempts
                == Attempts(count: 3, ambiguous: 1))
        let facts = VerifiedReceipt(transactions: [bought("starter", "1", token: 1)])
        #expect(try await ledger.ledger.complete(notification: "v1", facts, in: ledger.context())?.changed == 1)
        #expect(try await ledger.ledger.complete(notification: "v1", facts, in: ledger.context()) == nil)
        #expect(try await ledger.ledger.dueNotifications(limit: 9, lease: day(300), at: day(200)).isEmpty)
        #expect(
            try await ledger.trail().suffix(3).map { $0.prefix { $0 != " " } }
                == ["notification.recorded", "credits.posted", "notification.applied"])
    }
}

/// Receipts and notifications of the same purchases, in any order and any number of times, have the same result.
@Suite struct NotificationOrderTests {
    @Test(arguments: campaign(of: 40))
    func `Receipts and notifications in any order have the same result`(seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let pieces = HistoryMaker(using: &generator).pieces.filter { $0.senders.count == 1 }
        // Once it is known to whom all original transactions belong, the rest may come either way.
        let first = pieces.enumerated().filter { index, piece in
            pieces.firstIndex { $0.copy.originalID == piece.copy.originalID } == index
        }.map(\.element)
        var holdings: Set<String> = []
        for _ in 0..<3 {
            let ledger = try LedgerKind.sqliteInMemory.open()
            try await ledger.join(1, 2)
            var acts: [(Piece, reported: Bool)] = first.map { ($0, false) }
            acts += pieces.map { ($0, generator.flip()) } + pieces.filter { _ in generator.flip() }.map { ($0, true) }
            for (number, act) in acts.shuffled(using: &generator).enumerated() {
                if act.reported {
                    try await ledger.receive(notification("n\(number)", act.0.copy), on: HistoryMaker.present)
                } else {
                    try await ledger.record(
                        receipt("\(number)", by: act.0.senders[0]), act.0.copy, on: HistoryMaker.present)
                }
            }
            var both: [String] = []
            for digit: UInt8 in [1, 2] { both.append(try await ledger.holdings(of: digit, on: HistoryMaker.present)) }
            // A balance that was used up is 0; one that never existed is absent.
            holdings.insert(both.joined(separator: "\n").replacing(/(, |\n\+ |\b)\w+ 0\b/, with: ""))
            #expect(try await ledger.differences().isEmpty)
        }
        #expect(holdings.count == 1, "\(holdings.joined(separator: "\n===\n"))")
    }
}

func notification(_ id: String, _ copies: Transaction..., renewals: [OriginalTransaction.Key: RenewalFacts] = [:])
    -> AppStoreNotification
{
    AppStoreNotification(
        id: id, type: "REFUND", app: "hangman", environment: .production, signedDate: day(95),
        content: "content of \(id)", facts: VerifiedReceipt(transactions: copies, renewals: renewals))
}

extension TestLedger {
    @discardableResult func receive(
        _ notification: AppStoreNotification, on date: Date = today
    ) async throws -> Observation? {
        try await ledger.record(notification, in: context(on: date))
    }
}
