import Foundation
import InAppPurchase

/// The seats of a subscription that was bought for a group (Apple, TransactionMultiSeatInfo).
struct Seats: Hashable, Codable, Sendable {
    /// The one who invites the members of the group (`invitationManagement`).
    enum Invitations: String, Codable, Sendable {
        case apple = "APPLE"
        case developer = "DEVELOPER"
    }

    var invitations: Invitations
    /// The number of seats of the period, in all its transactions.
    var total: Int
    /// The number of seats that renew (`renewalQuantity`).
    var renewing: Int
    /// The number of seats of this transaction that refunds revoked (`revokedSeatQuantity`).
    var revoked = 0
    /// The number of transactions that added seats to the period and are not refunded.
    var additions = 0
    /// The first transaction of the period, if these seats were added to it; `nil` for that one.
    var addedTo: TransactionID?

    init(_ quantity: Int, invitations: Invitations) {
        self.invitations = invitations
        total = quantity
        renewing = quantity
    }

    mutating func apply(_ act: SubscriptionAct) {
        switch act {
        case .addSeats(let quantity):
            total = total.saturatingAdding(quantity)
            renewing = renewing.saturatingAdding(quantity)
            countAddition(1)
        case .renewSeats(let quantity): renewing = quantity
        default: return
        }
    }

    /// Counts transactions that add seats and are not refunded: 1 more, or -1 for one less.
    mutating func countAddition(_ change: Int) { additions = additions.saturatingAdding(change) }
}

extension StoredPurchase {
    /// Prices are multiplied with shares in thousandths of a percent.
    private static let whole = 100_000

    /// Whether it only added seats to a period.
    var isSeatAddition: Bool { seats?.addedTo != nil }

    /// Whether more than one transaction represents the period (Apple, additionalTransactionReason).
    var sharesPeriod: Bool { isSeatAddition || seats.map { $0.total > transaction.quantity } ?? false }

    /// Whether every transaction of the period is revoked (Apple, revokedSeatQuantity).
    var isRevoked: Bool { transaction.revocation != nil && (seats?.additions ?? 0) == 0 }

    /// - Throws: ``SimulatorProblem`` if the act is one on seats, and the subscription does not have them.
    func checkSeats(for act: SubscriptionAct, at date: Date) throws {
        switch act {
        case .addSeats(let quantity):
            guard try runningSeats(at: date).total.saturatingAdding(quantity) <= SimulatorLimits.seats.upperBound else {
                throw SimulatorProblem.tooManySeats("A subscription has at most \(SimulatorLimits.seats.upperBound).")
            }
        case .renewSeats(let quantity):
            let seats = try runningSeats(at: date)
            guard quantity <= seats.total else {
                throw SimulatorProblem.tooManySeats("The period has \(seats.total): more are added, at once.")
            }
            guard quantity != seats.renewing else {
                throw SimulatorProblem.invalid("quantity: the subscription already renews with \(quantity)")
            }
        case .unclaimSeats:
            guard try purchasersSeats().invitations == .developer else {
                throw SimulatorProblem.conflict(
                    "invitations_by_apple", "Only seats to which the app's developer invites are claimed and unclaimed."
                )
            }
        default: return
        }
    }

    private func purchasersSeats() throws -> Seats {
        guard let seats, transaction.ownershipType == .purchased else {
            throw SimulatorProblem.conflict("not_multiseat", "The customer did not buy seats for a group.")
        }
        return seats
    }

    private func runningSeats(at date: Date) throws -> Seats {
        let seats = try purchasersSeats()
        guard status(at: date) == .active, transaction.purchaseDate <= date else {
            throw SimulatorProblem.conflict("no_running_period", "There is no running period.")
        }
        return seats
    }

    /// The transaction of seats that are added to the running period, which has them already. They cost the share of
    /// the price that the rest of the period is.
    func addition(of quantity: Int, id: TransactionID, webOrderLineItemID: String, at date: Date) -> StoredPurchase {
        var added = self
        added.transaction.id = id
        added.transaction.quantity = quantity
        added.transaction.purchaseDate = date
        added.transaction.revocation = nil
        (added.recordedDate, added.isRenewal, added.isFinished) = (date, false, false)
        (added.offer, added.familyOriginals, added.copyOf) = (nil, [], nil)
        added.subscription?.webOrderLineItemID = webOrderLineItemID
        if let period = seats {
            added.seats = Seats(period.renewing, invitations: period.invitations)
            added.seats?.addedTo = transaction.id
        }
        if let end = transaction.expirationDate, let price = subscription?.standardPrice {
            let length = max(end.timeIntervalSince(transaction.purchaseDate), 1)
            let share = min(max(end.timeIntervalSince(date) / length, 0), 1)
            added.price = price.saturatingMultiplied(by: Int(share * Double(Self.whole))) / Self.whole
        }
        return added
    }

    /// Refunds seats; the transaction is revoked with the last one (Apple, revokedSeatQuantity).
    ///
    /// - Throws: ``SimulatorProblem`` if it has fewer.
    mutating func refundSeats(_ quantity: Int, at date: Date, reason: Int) throws {
        let revoked = try purchasersSeats().revoked.saturatingAdding(quantity)
        guard revoked <= transaction.quantity else {
            throw SimulatorProblem.tooManySeats("The transaction has fewer that are not refunded.")
        }
        seats?.revoked = revoked
        if revoked == transaction.quantity { refund(at: date, reason: reason) }
    }
}

extension SimulatorProblem {
    fileprivate static func tooManySeats(_ detail: String) -> SimulatorProblem {
        .conflict("too_many_seats", detail)
    }
}
