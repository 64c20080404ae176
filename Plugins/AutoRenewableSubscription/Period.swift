import Foundation
import InAppPurchase

/// The members of a purchase that decide access: a paid period of a subscription.
struct Period: Codable, Hashable, Sendable {
    /// How far ahead of this machine's clock a period that runs already may begin, in seconds.
    private static let clockLeeway: TimeInterval = 60

    var id: TransactionID
    var product: ProductID
    var start: Date
    /// `nil` if no copy states it.
    var end: Date?
    var isRevoked: Bool
    var isUpgraded: Bool
    var level: Int?
    /// In seconds.
    var leeway: TimeInterval

    init(_ purchase: Purchase<AutoRenewableSubscription>) {
        let transaction = purchase.transaction
        id = transaction.id
        product = transaction.productID
        start = transaction.purchaseDate
        end = transaction.expirationDate
        isRevoked = transaction.revocation != nil
        isUpgraded = transaction.isUpgraded
        level = purchase.terms.level
        leeway = purchase.terms.leeway
    }

    /// The order of periods, newest first; of one date the higher level first, then the smaller ID, so that it is
    /// stable.
    var recency: (age: TimeInterval, level: Int, id: TransactionID) {
        (-start.timeIntervalSinceReferenceDate, level ?? .max, id)
    }

    /// Whether the paid period has not ended.
    func isPaid(at date: Date) -> Bool { end.map { $0 > date } ?? false }

    func hasBegun(at date: Date) -> Bool { start <= date.addingTimeInterval(Self.clockLeeway) }

    /// Why the product is denied if another one of its group decides.
    func reasonSuperseded(at date: Date) -> DenialReason {
        if isRevoked { return .revoked }
        if !isUpgraded, !hasBegun(at: date) { return .notStarted }
        return isUpgraded || isPaid(at: date) ? .upgraded : .expired
    }
}

extension Period {
    init(from reader: inout CompactReader) throws {
        var flags = try reader.readFlags()
        isRevoked = flags.next()
        isUpgraded = flags.next()
        let (hasEnd, hasLevel) = (flags.next(), flags.next())
        id = try reader.readIdentifier()
        product = try reader.readIdentifier()
        start = try reader.readDate()
        end = hasEnd ? try reader.readDate() : nil
        level = hasLevel ? try reader.readNumber() : nil
        leeway = try reader.readDouble()
    }

    func write(to writer: inout CompactWriter) {
        writer.write([isRevoked, isUpgraded, end != nil, level != nil])
        writer.write(id)
        writer.write(product)
        writer.write(start)
        if let end { writer.write(end) }
        if let level { writer.write(level) }
        writer.write(leeway)
    }
}
