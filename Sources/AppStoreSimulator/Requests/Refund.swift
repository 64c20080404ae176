import Foundation
import InAppPurchase

/// The body of a `POST` to `/simulator/v1/transactions/{id}/refund`.
struct Refund: Sendable {
    private struct Members: Decodable {
        var percentage: Int?
        var reason: Int?
        var seats: Int?
    }

    /// The share of a prorated refund in thousandths of a percent; `nil` for a full one.
    var percentage: Int?
    /// `revocationReason`.
    var reason: Int
    /// The number of seats; `nil` for all that the transaction has.
    var seats: Int?

    /// - Parameter body: JSON; empty for a full refund.
    /// - Throws: ``SimulatorProblem``, `JSONError`, `DecodingError`.
    init(_ body: Data) throws {
        let members = body.isEmpty ? nil : try JSONBody.decode(Members.self, from: body)
        percentage = members?.percentage
        reason = members?.reason ?? 0
        seats = members?.seats
        if let percentage, !SimulatorLimits.percentage.contains(percentage) {
            throw SimulatorProblem.invalid("percentage: expected 0 to 100000 thousandths of a percent")
        }
        guard (0...1).contains(reason) else { throw SimulatorProblem.invalid("reason: expected 0 or 1") }
        if let seats, !SimulatorLimits.seats.contains(seats) || percentage != nil {
            throw SimulatorProblem.invalid("seats: expected \(SimulatorLimits.seats), without a percentage")
        }
    }

    /// - Throws: ``SimulatorProblem`` if the purchase does not have the seats.
    func apply(to purchase: inout StoredPurchase, at date: Date) throws {
        if let seats { return try purchase.refundSeats(seats, at: date, reason: reason) }
        purchase.refund(at: date, percentage: percentage, reason: reason)
    }
}
