package import Foundation
package import InAppPurchase

/// The App Store's requests for consumption information about a purchase that the customer wants refunded
/// (CONSUMPTION_REQUEST). The answer contains only what is recorded, and is sent only with the customer's consent.
package protocol ConsumptionRequests: Sendable {
    /// Records whether the App Store may be told what the account did with its purchases. The app asks its customer
    /// (Apple, "Send Consumption Information": without consent nothing may be sent). Setting the same again changes
    /// nothing.
    func setConsumptionConsent(_ consents: Bool, of account: AccountID, at date: Date) async throws

    /// Leases the requests without an answer that are due, oldest first: each is postponed to `lease`.
    func dueConsumptionRequests(limit: Int, lease: Date, at date: Date) async throws -> [ConsumptionRequest]

    /// Returns the consumption of the purchase as of now; `nil` if the transaction is not recorded with an owner, or if
    /// the account that was credited for it did not consent.
    func consumption(
        for request: ConsumptionRequest, in context: RecordingContext
    ) async throws -> ConsumptionReport?

    /// Records the outcome of a request: answered, or why not. Idempotent.
    func finish(_ request: ConsumptionRequest, _ outcome: ConsumptionRequest.Outcome, at date: Date) async throws
}

extension ReceiptRecorder {
    /// Returns the consumption of a purchase by the account that was credited for it.
    package func consumption(of record: RecordedTransaction) throws -> ConsumptionReport {
        let transaction = record.transaction
        let delivered = try rows.deliveries(of: [transaction.key], to: record.creditedTo)[transaction.key] != nil
        guard delivered else { return ConsumptionReport(isDelivered: false, consumedMilliPercent: 0) }
        let balances = try rows.balances(of: record.creditedTo, in: record.scope)
        // A balance does not tell which purchase its credits are from: the rest is attributed to this purchase first,
        // in the customer's favour.
        let parts = (record.terms?.credits ?? [:]).map { currency, unit in
            let earned = unit.saturatingMultiplied(by: transaction.quantity)
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
