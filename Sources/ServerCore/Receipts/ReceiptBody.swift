import InAppPurchase
import Ledger
import ServerHTTP

/// The outcome of a receipt in the format of the HTTP API.
struct ReceiptBody: Encodable {
    struct TransactionBody: Encodable {
        var id: TransactionID
        var originalID: TransactionID
        var product: ProductID
        var environment: Environment
        var outcome: String
        var reason: DenialReason?
        /// Present with the reason `ownedByAnotherAccount` only.
        var remedy: TransferRemedy?
        var finish: Bool

        init(_ answer: TransactionAnswer) {
            let transaction = answer.transaction
            id = transaction.id.stated
            originalID = transaction.originalID.stated
            product = transaction.productID
            environment = transaction.environment
            finish = answer.outcome.finish
            switch answer.outcome {
            case .delivered: outcome = "delivered"
            case .alreadyDelivered: outcome = "alreadyDelivered"
            case .denied(let why):
                outcome = "denied"
                reason = why
            }
            remedy = reason == .ownedByAnotherAccount ? answer.remedy : nil
        }
    }

    var receipt: String
    var status: ReceiptAnswer.Status
    var reason: String?
    var duplicate: Bool
    var finish: Bool
    var transactions: [TransactionBody]
    var entitlements: [EntitlementBody]
    var balances: Credits

    init(_ answer: ReceiptAnswer) {
        receipt = answer.receipt
        status = answer.status
        reason = answer.reason
        duplicate = answer.isDuplicate
        finish = answer.finish
        balances = answer.balances
        transactions = answer.transactions.map(TransactionBody.init)
        entitlements = answer.entitlements.map(EntitlementBody.init)
    }
}

extension ReceiptAnswer {
    /// The reason that the app is told: of a rejection, or of a wait that is this server's fault.
    package var reason: String? { rejection?.rawValue ?? (trouble == .clock ? Attempts.Trouble.clock.rawValue : nil) }
}
