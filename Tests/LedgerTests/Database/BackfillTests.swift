import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Further facts from stored bytes are merged into what was recorded of them, however often the work is interrupted.
@Suite struct BackfillTests {
    /// A history as this release records the receipts, and as an earlier one did.
    private struct History {
        var full: [(receipt: Receipt, facts: VerifiedReceipt)] = []

        init(seed: UInt64) {
            var generator = SeededGenerator(seed: seed)
            for (number, piece) in HistoryMaker(using: &generator).pieces.enumerated() {
                var copy = piece.copy
                if generator.pick(true, true, false) { copy.details = Self.details(using: &generator) }
                let renewal = RenewalFacts(
                    willAutoRenew: generator.flip(),
                    details: generator.flip() ? Self.renewal(on: copy.signedDate, using: &generator) : nil,
                    signedDate: copy.signedDate)
                let renewals = copy.expirationDate == nil ? [:] : [copy.originalTransactionKey: renewal]
                full.append(
                    (
                        receipt("\(number)", by: piece.senders.first ?? 1),
                        VerifiedReceipt(
                            transactions: [copy], renewals: renewals,
                            evidence: PresentedEvidence(.signedTransaction, [copy]))
                    ))
            }
        }

        private static func details(using generator: inout SeededGenerator) -> PurchaseDetails {
            var details = PurchaseDetails()
            (details.price, details.currency) = (generator.pick(990, 4_990), "EUR")
            details.storefront = generator.pick("DEU", nil)
            details.reason = generator.pick("PURCHASE", "RENEWAL", nil)
            return details
        }

        private static func renewal(on date: Date, using generator: inout SeededGenerator) -> RenewalDetails {
            var details = RenewalDetails(signedDate: date)
            details.price = generator.pick(990, 4_990)
            return details
        }

        var stripped: [(receipt: Receipt, facts: VerifiedReceipt)] {
            full.map { receipt, facts in
                var facts = facts
                for index in facts.transactions.indices { facts.transactions[index].details = nil }
                for original in facts.renewals.keys { facts.renewals[original]?.details = nil }
                return (receipt, facts)
            }
        }

        func read(_ item: BackfillPage.Item) -> VerifiedReceipt? {
            switch item {
            case .receipt(let receipt, _): full.first { $0.receipt.content == receipt.content }?.facts
            case .notification: nil
            }
        }
    }

    private func facts(in ledger: TestLedger) async throws -> [String] {
        var all: [String] = []
        for table in ["transactions", "unclaimedTransactions"] {
            all += try await ledger.rows("SELECT id, facts FROM \(table) ORDER BY id")
        }
        return all + (try await ledger.rows("SELECT originalID, facts FROM renewals ORDER BY originalID"))
    }

    private func record(_ receipts: [(receipt: Receipt, facts: VerifiedReceipt)], in ledger: TestLedger) async throws {
        let context = try ledger.context(on: HistoryMaker.present)
        for (receipt, facts) in receipts { _ = try await ledger.ledger.record(receipt, .success(facts), in: context) }
    }

    /// A server processes one page, and is killed before or after its commit, again and again.
    @Test(arguments: LedgerKind.allCases, campaign(of: 10))
    func `An interrupted backfill ends as if the receipts were recorded anew`(kind: LedgerKind, seed: UInt64)
        async throws
    {
        let history = History(seed: seed)
        var generator = SeededGenerator(seed: seed)
        let (old, anew) = (try kind.open(), try kind.open())
        for ledger in [old, anew] {
            try await ledger.join(1, 2)
            try await record(history.stripped, in: ledger)
        }
        let balances = try await old.rows("SELECT * FROM balances ORDER BY account, currency")
        try await record(history.full, in: anew)
        let context = try old.context(on: HistoryMaker.present)
        while case let position = try await old.ledger.backfillPosition(), position.phase != .done {
            var page = try await old.ledger.backfillPage(after: position)
            if generator.flip(), page.items.count > 1, case .receipt(let receipt, _) = page.items[0] {
                page = BackfillPage(items: [page.items[0]], next: BackfillPosition(.receipts, after: receipt.id))
            }
            if generator.flip() { continue }
            let read = page.items.compactMap(history.read)
            _ = try await old.ledger.fill(read, from: position, to: page.next, in: context)
            #expect(try await old.ledger.fill(read, from: position, to: page.next, in: context) == nil)
        }
        #expect(try await facts(in: old) == facts(in: anew))
        #expect(try await old.rows("SELECT * FROM balances ORDER BY account, currency") == balances)
        #expect(try await old.differences() == [])
    }

    /// Rejected and pending receipts, and those without their bytes, are left out; nothing new is recorded.
    @Test(arguments: LedgerKind.allCases)
    func `A backfill reads only the receipts that were accepted`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        try await ledger.record(receipt("good", id: "r_1"), bought("hints", "1"))
        try await ledger.reject(receipt("bad", id: "r_2"), .signature)
        _ = try await ledger.ledger.enqueue(receipt("waiting", id: "r_3"), retryAt: today, at: today)
        let page = try await ledger.ledger.backfillPage(after: .start)
        let found = page.items.compactMap { item in
            if case .receipt(let receipt, let date) = item { "\(receipt.id) \(date == today)" } else { nil }
        }
        #expect(found == ["r_1 true"] && page.next == BackfillPosition(.notifications))
        let before = try await ledger.rows("SELECT * FROM transactions")
        var stranger = bought("words", "99")
        stranger.details = PurchaseDetails()
        stranger.details?.price = 990
        let filled = try await ledger.ledger.fill(
            [VerifiedReceipt(transactions: [stranger])], from: .start, to: page.next, in: try ledger.context())
        #expect(filled == 0)
        #expect(try await ledger.rows("SELECT * FROM transactions") == before)
        let last = try await ledger.ledger.backfillPage(after: page.next)
        #expect(last.items.isEmpty && last.next == BackfillPosition(.done))
    }

    /// A fact that makes a period a trial takes its credits back.
    @Test(arguments: LedgerKind.allCases)
    func `A backfill that finds a trial takes its credits back`(kind: LedgerKind) async throws {
        let opening = #""id": "club.month", "type": "auto-renewable","#
        let catalog = try catalog(shop.replacing(opening, with: opening + #" "trialCredits": "withhold","#))
        let ledger = try kind.open()
        try await ledger.join(1)
        var trial = bought("club.month", "1", on: day(90), until: day(120))
        try await ledger.record(receipt("a"), trial, in: catalog)
        trial.details = PurchaseDetails()
        trial.details?.isTrialPeriod = true
        let filled = try await ledger.ledger.fill(
            [VerifiedReceipt(transactions: [trial])], from: .start, to: BackfillPosition(.done),
            in: RecordingContext(catalog: catalog, date: today))
        #expect(filled == 1)
        #expect(try await ledger.rows("SELECT currency, amount FROM balances") == ["gems 0"])
        #expect(try await ledger.differences() == [])
    }

    /// A page of large receipts ends early.
    @Test(arguments: LedgerKind.allCases)
    func `A page of a backfill is bounded by the size of its receipts`(kind: LedgerKind) async throws {
        let ledger = try kind.open()
        try await ledger.join(1)
        let large = String(repeating: "x", count: BackfillPage.maximumBytes / 2 + 1)
        for number in 1...5 {
            var sent = receipt("\(number)", id: "r_\(number)")
            sent.content = large
            try await ledger.record(sent, bought("hints", "\(number)"))
        }
        for number in 0..<BackfillPage.maximumItems {
            try await ledger.record(receipt("s\(number)", id: "s_\(1_000 + number)"), bought("hints", "1"))
        }
        var (position, sizes) = (BackfillPosition.start, [Int]())
        while position.phase == .receipts {
            let page = try await ledger.ledger.backfillPage(after: position)
            sizes.append(page.items.count)
            position = page.next
        }
        #expect(sizes == [2, 2, BackfillPage.maximumItems, 1])
    }
}
