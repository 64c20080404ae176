import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Random subscriptions that three accounts pay for and claim, with what the store reports in several orders between
/// the claims, compared with ``PayerModel``.
@Suite struct PayerHistoryTests {
    /// An event at a time: the store reports a period, or an account presents some.
    private enum Event {
        case told(Int)
        case shown(periods: [Int], by: UInt8, isAppReceipt: Bool, isForDevice: Bool, mayTransfer: Bool)
        case given(UInt8)
    }

    private struct History {
        var tokens: [UInt8?] = []
        var claims: [(date: Date, event: Event)] = []

        init(using generator: inout SeededGenerator) {
            for _ in 0..<Int.random(in: 2...7, using: &generator) {
                tokens.append(generator.pick(nil, 1, 1, 2, 3))
            }
            for period in tokens.indices where generator.flip() {
                let date =
                    PayerTests.month(period).purchaseDate + Double(Int.random(in: 1...29, using: &generator)) * 86_400
                let first = generator.pick(0, period, period)
                let shown = Event.shown(
                    periods: Array(first...period), by: generator.pick(1, 2, UInt8(3)),
                    isAppReceipt: generator.flip(), isForDevice: generator.flip(),
                    mayTransfer: generator.pick(true, true, false))
                let isDecided = generator.pick(false, false, false, false, true)
                claims.append((date, isDecided ? .given(generator.pick(1, 2, UInt8(3))) : shown))
            }
        }

        /// The claims, and between them the reports of all periods in a random order, each some time after it began.
        func events(using generator: inout SeededGenerator) -> [(date: Date, event: Event)] {
            let reports = tokens.indices.map { period in
                let start = PayerTests.month(period).purchaseDate
                let late = Double(Int.random(in: 0...200, using: &generator)) * 86_400
                return (date: start + 60 + generator.pick(0, late), event: Event.told(period))
            }
            return (claims + reports).sorted { $0.date < $1.date }
        }
    }

    @Test(
        "The owners and credits after random payments and claims are those of the model",
        arguments: [LedgerKind.sqliteInMemory, .postgres], campaign(of: 250))
    func followTheRules(kind: LedgerKind, seed: UInt64) async throws {
        var generator = SeededGenerator(seed: seed)
        let history = History(using: &generator)
        for _ in 0..<3 {
            let ledger = try kind.open()
            try await ledger.join(1, 2, 3)
            var model = PayerModel(tokens: history.tokens)
            let events = history.events(using: &generator)
            for (step, event) in events.enumerated() {
                try await play(event.event, step, on: event.date, history, ledger, &model)
                let found = try await state(of: ledger)
                try #require(found == model.state, "step \(step) of \(events), tokens \(history.tokens)")
            }
            let differences = try await ledger.differences()
            #expect(differences == [])
        }
    }

    private func play(
        _ event: Event, _ step: Int, on date: Date, _ history: History, _ ledger: TestLedger, _ model: inout PayerModel
    ) async throws {
        switch event {
        case .told(let period):
            let month = PayerTests.month(period, token: history.tokens[period])
            try await ledger.tell(notification("\(step)", month), on: date)
            model.tell([period], tokens: true)
        case .given(let account):
            guard model.owner != nil else { return }
            _ = try await ledger.ledger.transfer(
                original("1"), to: LedgerTests.account(account), try act(on: date), in: try ledger.context(on: date))
            model.give(to: account, on: date)
        case .shown(let periods, let account, let isAppReceipt, let isForDevice, let mayTransfer):
            let copies = periods.map {
                PayerTests.month($0, token: isAppReceipt ? nil : history.tokens[$0], signed: date)
            }
            let kind: Receipt.Kind = isAppReceipt ? .appReceipt : .signedTransaction
            let receipt = receipt(
                "\(step)", by: account, kind: kind, mayTransfer: mayTransfer, isForDevice: isForDevice)
            let verified = VerifiedReceipt(transactions: copies, evidence: PresentedEvidence(kind, copies))
            let answer = try await ledger.ledger.record(receipt, .success(verified), in: try ledger.context(on: date))
            let delivered = answer.transactions.filter { [.delivered, .alreadyDelivered].contains($0.outcome) }
            model.tell(periods, tokens: !isAppReceipt)
            model.claim(
                periods, by: account, isAccepted: answer.status == .verified, on: date,
                delivered: delivered.compactMap { Int($0.transaction.id.text) })
        }
    }

    /// The owner, and the gems of each account.
    private func state(of ledger: TestLedger) async throws -> String {
        let scope = Scope(app: "hangman", environment: .production)
        var gems: [Int] = []
        for digit: UInt8 in 1...3 {
            let context = try ledger.context(on: day(500))
            gems.append(try await ledger.ledger.balances(of: account(digit), scope: scope, in: context)["gems"] ?? 0)
        }
        let owner = try await ledger.rows("SELECT owner FROM lines").first ?? "none"
        return "\(owner) \(gems)"
    }
}

/// The rules of payments and claims once more, as plainly as they can be stated: everything is computed anew from what
/// is known, period by period.
private struct PayerModel {
    struct Claim {
        var account: UInt8
        var date: Date
        /// The newest period that was shown; `nil` for what an administrator gave.
        var period: Int?
        var isFirst: Bool
    }

    let tokens: [UInt8?]
    /// The periods that are known, and whether a copy with a token is.
    private var known: [Int: Bool] = [:]
    private var claims: [Claim] = []
    private var credited: [Int: UInt8] = [:]
    private var told: [Int: Set<UInt8>] = [:]

    init(tokens: [UInt8?]) { self.tokens = tokens }

    private func start(_ period: Int) -> Date { PayerTests.month(period).purchaseDate }

    /// The periods that were paid by another account than the one before.
    private var payments: [(period: Int, account: UInt8)] {
        var found: [(period: Int, account: UInt8)] = []
        for period in tokens.indices where known[period] == true {
            guard let token = tokens[period], found.last?.account != token else { continue }
            found.append((period, token))
        }
        return found
    }

    private func owner(at date: Date) -> UInt8? {
        var owner = payments.first?.account ?? claims.first?.account
        let payments = payments.map { (date: start($0.period), claim: Claim?.none, payer: $0.account, paid: $0.period) }
        let claims = claims.map { (date: $0.date, claim: Optional($0), payer: UInt8(0), paid: -1) }
        var paid: (period: Int, account: UInt8)?
        for event in (payments + claims).sorted(by: { $0.date < $1.date }) where event.date <= date {
            guard let claim = event.claim else {
                (owner, paid) = (event.payer, (event.paid, event.payer))
                continue
            }
            let isNewer = paid.map { paid in
                guard let period = claim.period, paid.account != claim.account else { return true }
                return claim.isFirst ? period > paid.period : period >= paid.period
            }
            if isNewer ?? true { owner = claim.account }
        }
        return owner
    }

    var owner: UInt8? { owner(at: .distantFuture) }

    var state: String {
        let gems = (1...3).map { digit in credited.values.count { $0 == digit } * 7 }
        return "\(owner.map { account($0).text } ?? "none") \(gems)"
    }

    mutating func tell(_ periods: [Int], tokens hasTokens: Bool) {
        for period in periods { known[period] = (known[period] ?? false) || hasTokens }
        credit()
    }

    mutating func give(to account: UInt8, on date: Date) {
        claims.append(Claim(account: account, date: date, period: nil, isFirst: false))
    }

    mutating func claim(_ periods: [Int], by account: UInt8, isAccepted: Bool, on date: Date, delivered: [Int]) {
        // What waited for an owner is in the balance that the first one is told.
        let waiting = owner == nil && isAccepted ? Array(known.keys) : []
        if isAccepted, let newest = periods.max() {
            claims.append(Claim(account: account, date: date, period: newest, isFirst: owner == nil))
        }
        credit()
        for period in delivered + waiting { told[period, default: []].insert(account) }
    }

    /// A period credits its owner at its date, and one that nobody was told of changes with what is known.
    private mutating func credit() {
        for period in known.keys {
            guard let owner = owner(at: start(period)) else { continue }
            let former = credited[period]
            if former == nil || !(told[period] ?? []).contains(former ?? 0) { credited[period] = owner }
        }
    }
}
