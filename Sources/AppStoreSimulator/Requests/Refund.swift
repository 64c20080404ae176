import Foundation
import InAppPurchase

/// The body of a `POST` to `/simulator/v1/transactions/{id}/refund`.
struct Refund: Sendable {
    private struct Members: Decodable {
        var percentage: Int?
        var reason: Int?
    }

    /// The share of a prorated refund in thousandths of a percent; `nil` for a full one.
    var percentage: Int?
    /// `revocationReason`.
    var reason: Int

    /// - Parameter body: JSON; empty for a full refund.
    /// - Throws: ``SimulatorProblem``, `JSONBody.FormatError`, `DecodingError`.
    init(_ body: Data) throws {
        let members = body.isEmpty ? nil : try JSONBody.decode(Members.self, from: body)
        percentage = members?.percentage
        reason = members?.reason ?? 0
        if let percentage, !SimulatorLimits.percentage.contains(percentage) {
            throw SimulatorProblem.invalid("percentage: expected 0 to 100000 thousandths of a percent")
        }
        guard (0...1).contains(reason) else { throw SimulatorProblem.invalid("reason: expected 0 or 1") }
    }

    func apply(to purchase: inout StoredPurchase, at date: Date) {
        purchase.refund(at: date, percentage: percentage, reason: reason)
    }
}
