import Foundation
import InAppPurchase

/// A time of access without gaps: what purchases add up to.
struct Run: Codable, Hashable, Sendable {
    var start: Date
    private var months = 0
    private var days = 0
    private var seconds = 0
    /// The time taken by partial refunds, in seconds.
    private var refunded: TimeInterval = 0
    /// The products of its purchases, each once, in the order of their first one.
    private(set) var products: [ProductID] = []

    /// Begins with a purchase.
    init(_ purchase: Purchase<NonRenewingSubscription>) {
        start = purchase.transaction.purchaseDate
        add(purchase)
    }

    /// The sum of its durations. Not stored as one, since it may be longer than one may be.
    private var duration: CalendarDuration { CalendarDuration(months: months, days: days, seconds: seconds) }

    /// The end as if nothing had been refunded.
    private var fullEnd: Date { duration.end(from: start) }

    var end: Date { fullEnd.addingTimeInterval(-refunded) }

    /// Extends the run by a purchase.
    mutating func add(_ purchase: Purchase<NonRenewingSubscription>) {
        let transaction = purchase.transaction
        let before = fullEnd
        let sum = duration + purchase.terms.duration.times(purchase.unitsLeft)
        (months, days, seconds) = (sum.months, sum.days, sum.seconds)
        if !products.contains(transaction.productID) { products.append(transaction.productID) }
        guard transaction.quantity == 1, let revocation = transaction.revocation else { return }
        refunded += TimeInterval(revocation.share.of(Int(fullEnd.timeIntervalSince(before))))
    }
}

extension Run {
    init(from reader: inout CompactReader) throws {
        start = try reader.readDate()
        months = try reader.readNumber()
        days = try reader.readNumber()
        seconds = try reader.readNumber()
        refunded = try reader.readDouble()
        products = try reader.readArray { try $0.readIdentifier() }
    }

    func write(to writer: inout CompactWriter) {
        writer.write(start)
        for number in [months, days, seconds] { writer.write(number) }
        writer.write(refunded)
        writer.write(products) { $0.write($1) }
    }
}

extension Purchase<NonRenewingSubscription> {
    /// The number of units left after a refund; of a single unit the refund shortens the time instead.
    fileprivate var unitsLeft: Int {
        guard transaction.quantity > 1, let revocation = transaction.revocation else { return transaction.quantity }
        return revocation.share.unitsLeft(of: transaction.quantity)
    }
}
