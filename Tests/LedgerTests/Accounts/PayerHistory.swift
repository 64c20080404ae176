import Foundation
import InAppPurchase
import Ledger
import TestSupport

/// A random subscription that three accounts pay for, share and claim: what the App Store states of its periods, and
/// what the accounts and administrators do, in the order of time.
struct PayerHistory {
    /// A period that was paid once.
    struct Period {
        var product: ProductID
        var start: Date
        var days: Int
        /// The date when it was extended, by how many days.
        var extended: (on: Date, days: Int)?
        /// The beginning of the period of the other product for which the customer left this one.
        var left: Date?
        var token: UInt8?
        var isRenewal = false
        /// The beginning of the purchase that renews itself so.
        var bought: Date
        var isFree = false

        func end(on date: Date) -> Date {
            start + Double(days + (extended.map { $0.on <= date ? $0.days : 0 } ?? 0)) * 86_400
        }

        var end: Date { end(on: .distantFuture) }
        var gems: Int { product == "club.year" ? 90 : 7 }
    }

    /// A statement about the refund of a purchase.
    enum Statement: Equatable {
        case nothing
        case refund(share: Int?)
        case reversal
    }

    /// One copy of a period, as the App Store states it on a date.
    struct Copy {
        var period: Int
        /// Of the subscription itself 0; of what the family shares of it 1.
        var line = 0
        var id: Int
        var date: Date
        var isSigned: Bool
        var hasItem: Bool
        var end: Date
        var isUpgraded: Bool
        var token: UInt8?
        var statement = Statement.nothing
    }

    enum Act {
        case shown([Copy], by: UInt8, isAppReceipt: Bool, isForDevice: Bool, mayTransfer: Bool)
        case given(UInt8, line: Int)
        case undone(line: Int)
        /// The server tells the store who owns the subscription.
        case tokenSet
    }

    /// The facts that the store reports, in any order, and what is done then.
    struct Step {
        var date: Date
        var facts: [Copy] = []
        var act: Act?
    }

    private(set) var periods: [Period] = []
    private(set) var steps: [Step] = []
    private var generator: SeededGenerator
    private var lastDate = 0

    init(seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for _ in 0..<Int.random(in: 2...6, using: &generator) { addPeriod() }
        addActs()
        addFacts()
    }

    // MARK: What was paid

    private mutating func addPeriod() {
        guard let last = periods.last else {
            let product: ProductID = generator.pick("club.year", "club.month")
            let start = day(30) + Double(Int.random(in: 0...86_399, using: &generator)) + 0.25
            return append(Period(product: product, start: start, days: 0, token: token(), bought: start))
        }
        let other: ProductID = last.product == "club.year" ? "club.month" : "club.year"
        var next = Period(product: last.product, start: last.end, days: 0, token: token(), bought: last.end)
        switch Int.random(in: 0..<6, using: &generator) {
        case 0, 1: (next.token, next.isRenewal, next.bought) = (last.token, true, last.bought)
        case 2: next.start += Double(Int.random(in: 0...20, using: &generator)) * 86_400
        case 3: (next.product, next.start) = (other, last.end - generator.pick(0, 30))
        default:
            // Whole days and seven hours, so that no share of the credits is a whole number but for milliseconds.
            let days = Int.random(in: 6..<last.days, using: &generator)
            (next.product, next.start) = (other, last.start + Double(days * 24 + 7) * 3_600)
            periods[periods.count - 1].left = next.start
            next.token = generator.pick(last.token, token())
        }
        if !next.isRenewal { next.bought = next.start }
        append(next)
    }

    private mutating func append(_ period: Period) {
        var period = period
        period.days = period.product == "club.year" ? 90 : 30
        period.isFree = generator.pick(false, false, false, true)
        if generator.pick(false, false, true) {
            period.extended = (period.start + Double(Int.random(in: 1...5, using: &generator)) * 86_400, 3)
        }
        periods.append(period)
    }

    private mutating func token() -> UInt8? { generator.pick(nil, 1, 1, 2, 3) }

    // MARK: What is done

    private mutating func digit() -> UInt8 { generator.pick(1, 2, UInt8(3)) }

    private mutating func addActs() {
        guard let first = periods.first, let last = periods.last else { return }
        let length = Int(last.start.timeIntervalSince(first.start)) + 40 * 86_400
        let dates = (0..<Int.random(in: 1...8, using: &generator)).map { _ in
            first.start + Double(Int.random(in: 3_600...length, using: &generator))
        }
        for date in dates.sorted() { steps.append(Step(date: distinct(date), act: act(on: date))) }
        steps.append(Step(date: distinct(last.start + 400 * 86_400)))
    }

    /// A date that no other copy or act has.
    private mutating func distinct(_ date: Date) -> Date {
        lastDate += 1
        return date + Double(lastDate) * 2
    }

    private mutating func act(on date: Date) -> Act {
        let line = generator.pick(0, 0, 1)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: return .given(digit(), line: line)
        case 1: return .undone(line: line)
        case 2, 3: return .tokenSet
        default:
            let begun = periods.indices.filter { periods[$0].start < date - 60 }
            let newest = generator.pick(begun.last ?? 0, begun.randomElement(using: &generator) ?? 0)
            let isAppReceipt = generator.flip()
            let copies = (generator.pick(0, newest)...newest).map {
                copy(of: $0, line: line, on: date, isSigned: !isAppReceipt)
            }
            return .shown(
                copies, by: digit(), isAppReceipt: isAppReceipt, isForDevice: generator.pick(true, false),
                mayTransfer: generator.pick(true, true, false))
        }
    }

    // MARK: What the store states

    private mutating func copy(of period: Int, line: Int = 0, on date: Date, isSigned: Bool) -> Copy {
        let paid = periods[period]
        let isUpgraded = paid.left.map { $0 <= date } ?? false
        let end = isUpgraded ? generator.pick(paid.left ?? paid.end, paid.end) : paid.end(on: date)
        return Copy(
            period: period, line: line, id: Int.random(in: 0...3, using: &generator), date: date, isSigned: isSigned,
            hasItem: generator.flip(), end: end, isUpgraded: isUpgraded)
    }

    private mutating func addFacts() {
        for (place, period) in periods.enumerated() {
            for _ in 0..<generator.pick(1, 2, 3) { addFact(place, on: period.start + 60) }
            if let date = period.extended?.on { addFact(place, on: date) }
            if let left = period.left, generator.pick(true, false) { addFact(place, on: left + 60) }
            var date = period.start + 3_600
            for _ in 0..<generator.pick(0, 0, 1, 2, 3) {
                date += Double(Int.random(in: 3_600...20 * 86_400, using: &generator))
                let refund = Statement.refund(share: generator.pick(nil, 50_000, 30_000))
                addFact(place, on: date, stating: generator.pick(refund, .reversal, .nothing))
            }
            if generator.pick(false, true) { addFact(place, line: 1, on: period.start + 120) }
        }
    }

    private mutating func addFact(
        _ period: Int, line: Int = 0, on date: Date, stating statement: Statement = .nothing
    ) {
        let date = distinct(date)
        var fact = copy(
            of: period, line: line, on: date, isSigned: statement != .nothing || generator.pick(true, true, false))
        fact.statement = statement
        let possible = steps.indices.filter { steps[$0].date > date }
        let place = generator.pick(possible.first, possible.randomElement(using: &generator)) ?? steps.count - 1
        steps[place].facts.append(fact)
    }

    // MARK: Their form

    /// The copy with the token that the store states on its date: that of the purchase, or the last that the server set
    /// since.
    func named(_ copy: Copy, tokensSet: [(account: UInt8, date: Date)]) -> Copy {
        guard copy.isSigned, copy.line == 0 else { return copy }
        let period = periods[copy.period]
        var named = copy
        let set = tokensSet.last { $0.date < copy.date && $0.date > period.bought }
        named.token = set?.account ?? period.token
        return named
    }

    static func id(_ copy: Copy) -> TransactionID {
        TransactionID(stored: "\((copy.line == 0 ? 100 : 800) + copy.period * 10 + copy.id)")
    }

    static let originals: [TransactionID] = ["100", "800"]

    func transaction(_ copy: Copy) -> Transaction {
        let period = periods[copy.period]
        // App receipts have whole seconds.
        let start = copy.isSigned ? period.start : Date(milliseconds: period.start.milliseconds / 1_000 * 1_000)
        var transaction = bought(
            period.product, Self.id(copy), original: Self.originals[copy.line], on: start, until: copy.end,
            upgraded: copy.isUpgraded, ownershipType: copy.line == 0 ? .purchased : .familyShared, token: copy.token,
            signed: copy.date, isSigned: copy.isSigned)
        if case .refund(let share) = copy.statement {
            transaction.revocation = Transaction.Revocation(date: copy.date, reason: 0, percentage: share)
        }
        var details = PurchaseDetails()
        details.webOrderLineItemID = copy.hasItem ? "w\(copy.period)" : nil
        if copy.isSigned {
            details.price = period.isFree ? 0 : nil
            details.reason = period.isRenewal ? "RENEWAL" : "PURCHASE"
        }
        transaction.details = details.nonEmpty
        return transaction
    }
}

// In days after the first of January, so that a failure shows the whole history.

extension PayerHistory.Copy: CustomStringConvertible {
    var description: String {
        let item = hasItem ? " W" : ""
        let token = token.map { " token \($0)" } ?? ""
        let stated = statement == .nothing ? "" : " \(statement)"
        return "\(PayerHistory.id(self)) \(isSigned ? "signed" : "unsigned") \(date.inDays) until \(end.inDays)"
            + "\(isUpgraded ? " upgraded" : "")\(item)\(token)\(stated)"
    }
}

extension PayerHistory.Period: CustomStringConvertible {
    var description: String {
        let token = token.map { " token \($0)" } ?? ""
        return "\(product) \(start.inDays) until \(end.inDays)\(isRenewal ? " renewal" : "")"
            + "\(isFree ? " free" : "")\(token)"
    }
}

extension Date {
    var inDays: String { String(format: "%.5f", timeIntervalSince(day(0)) / 86_400) }
}
