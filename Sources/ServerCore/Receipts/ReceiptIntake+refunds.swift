import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

/// Refunds of old purchases that are presented for the first time.
extension ReceiptIntake {
    /// In seconds: a purchase of that age that the ledger does not know was made before the store told this server of
    /// refunds. A notification is repeated for five days.
    static let oldPurchase: TimeInterval = 7 * 86_400

    /// Asks the store for refunds of an old purchase whose original transaction is new to this server, and records
    /// them: a refund names one transaction of a purchase, and the one that is presented may be another. If the store
    /// does not answer in time, the receipt alone counts.
    func observeRefunds(of verified: VerifiedReceipt, in receipt: Receipt, within time: Duration) async throws {
        let context = decisions.context
        guard let shown = verified.transactions.first, shown.revocation == nil,
            context.date.timeIntervalSince(shown.firstPurchaseDate) > Self.oldPurchase,
            await store.canAsk(about: verified), try await !ledger.containsOriginal(of: shown)
        else { return }
        let refunds = await turns.ask(about: receipt, within: min(time, Limits.refundQuestion)) { time in
            await store.refunds(of: shown, within: time, at: context.date)
        }
        guard let refunds, !refunds.isEmpty else { return }
        _ = try await ledger.observe(
            VerifiedReceipt(transactions: refunds), cause: "refunds \(shown.originalID)", in: decisions.context)
    }
}

extension Transaction {
    /// The date of the purchase that a restored copy, which has a date of its own, is of.
    fileprivate var firstPurchaseDate: Date { originalPurchaseDate.map { min($0, purchaseDate) } ?? purchaseDate }
}
