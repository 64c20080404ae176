import Foundation
import InAppPurchase

extension ReceiptRecorder {
    /// Returns the consumption of a purchase by the account that was credited for it.
    ///
    /// After a refund of a share of the price, it is the consumption of the rest: what the refund took back cannot be
    /// consumed.
    package func consumption(of record: RecordedTransaction) throws -> ConsumptionReport {
        let transaction = record.transaction
        let delivered = try rows.deliveries(of: [transaction.key], to: record.creditedTo)[transaction.key] != nil
        guard delivered else { return ConsumptionReport(isDelivered: false, consumedMilliPercent: 0) }
        let balances = try rows.balances(of: record.creditedTo, in: record.scope)
        // A balance does not tell which purchase its credits are from: the rest is attributed to this purchase first,
        // in the customer's favour.
        let parts = (record.terms?.credits(for: transaction) ?? [:]).map { currency, unit in
            let bought = unit.saturatingMultiplied(by: transaction.quantity)
            // At least 0: the share is at most the amount.
            let earned = bought &- (transaction.revocation?.share.of(bought) ?? 0)
            return (earned: earned, left: min(max(0, balances[currency] ?? 0), earned))
        }
        let earned = parts.reduce(0) { $0.saturatingAdding($1.earned) }
        let left = parts.reduce(0) { $0.saturatingAdding($1.left) }
        guard earned > 0, transaction.expirationDate == nil else {
            return ConsumptionReport(isDelivered: true, consumedMilliPercent: nil)
        }
        let used = Double(earned - left) / Double(earned)
        return ConsumptionReport(isDelivered: true, consumedMilliPercent: Int((used * 100_000).rounded()))
    }
}
