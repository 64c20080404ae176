import Foundation
import InAppPurchase

/// An entitlement as the wire contract has it.
struct EntitlementBody: Encodable {
    var app: BundleID
    var product: ProductID
    var type: ProductType
    var environment: Environment
    var access: String
    var until: Date?
    var reason: DenialReason?
    var bundles: [BundleName]
    /// True where versions of the bundles stay open although access is denied; else left out.
    var keeps: Bool?

    init(_ entitlement: ProductEntitlement) {
        keeps = entitlement.kept.isEmpty ? nil : true
        app = entitlement.scope.app
        environment = entitlement.scope.environment
        product = entitlement.product
        type = entitlement.type
        bundles = entitlement.bundles
        switch entitlement.access {
        case .granted(let end):
            access = "granted"
            until = end
        case .denied(let why):
            access = "denied"
            reason = why
        }
    }
}

/// What became of a receipt, as the wire contract has it.
struct ReceiptBody: Encodable {
    struct TransactionBody: Encodable {
        var id: TransactionID
        var originalID: TransactionID
        var product: ProductID
        var environment: Environment
        var outcome: String
        var reason: DenialReason?
        /// Beside the reason `ownedByAnotherAccount` only.
        var remedy: TransferRemedy?
        var finish: Bool

        init(_ answer: TransactionAnswer) {
            let transaction = answer.transaction
            id = transaction.id
            originalID = transaction.originalID
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
    var reason: ReceiptRejection.Reason?
    var duplicate: Bool
    var finish: Bool
    var transactions: [TransactionBody]
    var entitlements: [EntitlementBody]
    var balances: Credits

    init(_ answer: ReceiptAnswer) {
        receipt = answer.receipt
        status = answer.status
        reason = answer.rejection
        duplicate = answer.isDuplicate
        finish = answer.finish
        balances = answer.balances
        transactions = answer.transactions.map(TransactionBody.init)
        entitlements = answer.entitlements.map(EntitlementBody.init)
    }
}

/// Everything an account is entitled to.
struct EntitlementsBody: Encodable {
    struct Restored: Encodable {
        var receipt: String
        var status: ReceiptAnswer.Status
        var reason: String?
        var remedy: TransferRemedy?
        var finish: Bool
        var provisionalUntil: Date?
    }

    var account: String
    var at: Date
    var entitlements: [EntitlementBody]
    /// Left out where no app is named and there are several.
    var balances: Credits?
    var receipts: [Restored]?
}
