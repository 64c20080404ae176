package import InAppPurchase
package import Foundation

/// The store asks what became of a purchase that the customer wants the money back for (CONSUMPTION_REQUEST). It is told
/// only what the records say, and only with the customer's consent.
package protocol ConsumptionRequests: Sendable {
    /// Whether the store may be told what the account did with its purchases. The app asks its customer (Apple, "Send
    /// Consumption Information": without consent nothing may be sent). The second time the same changes nothing.
    func setConsumptionConsent(_ consents: Bool, of account: AccountID, at date: Date) async throws

    /// Requests without an answer that are due, oldest first. Each is put off to `lease`.
    func dueConsumptionRequests(limit: Int, lease: Date, at date: Date) async throws -> [ConsumptionRequest]

    /// What the records say of the purchase now; nil where its owner is not known or did not consent.
    func consumption(
        for request: ConsumptionRequest, in context: RecordingContext
    ) async throws -> ConsumptionReport?

    /// Records what was answered, or why nothing was. The second time nothing happens.
    func finish(_ request: ConsumptionRequest, _ outcome: ConsumptionRequest.Outcome, at date: Date) async throws
}

extension ReceiptRecorder {
    /// What the records say of a purchase of the account that was credited for it.
    package func consumption(of record: RecordedTransaction) throws -> ConsumptionReport {
        let transaction = record.transaction
        let delivered = try rows.deliveries(of: [transaction.key], to: record.creditedTo)[transaction.key] != nil
        guard delivered else { return ConsumptionReport(isDelivered: false, consumedMilliPercent: 0) }
        let balances = try rows.balances(of: record.creditedTo, in: record.scope)
        // Credits have no marks on them: what is left is taken to be of this purchase first, in the customer's favour.
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
