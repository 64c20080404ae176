import Foundation
import InAppPurchase

struct ReceiptFactsBody: Encodable {
    var receipt: String
    var kind: Receipt.Kind
    var status: ReceiptAnswer.Status
    var reason: ReceiptRejection.Reason?
    var bundleID: BundleID?
    var attempts: Int
    var recordedAt: Date
    var answeredAt: Date?
    var retryAt: Date?

    init(_ facts: ReceiptFacts) {
        receipt = facts.id
        kind = facts.kind
        status = facts.status
        reason = facts.rejection
        bundleID = facts.bundleID
        attempts = facts.attempts.count
        recordedAt = facts.recordedAt
        answeredAt = facts.answeredAt
        retryAt = facts.retryAt
    }
}

struct SpentBody: Encodable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var balance: Int
    var idempotencyKey: String
    var at: Date

    init(_ recorded: RecordedSpend) {
        let spend = recorded.spend
        app = spend.scope.app
        environment = spend.scope.environment
        currency = spend.currency
        amount = spend.amount
        balance = recorded.balance
        idempotencyKey = spend.idempotencyKey
        at = recorded.date
    }
}

struct AdjustmentBody: Encodable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var balance: Int
    var idempotencyKey: String
    var actor: String
    var reason: String
    var at: Date

    init(_ recorded: RecordedAdjustment) {
        let adjustment = recorded.adjustment
        app = adjustment.scope.app
        environment = adjustment.scope.environment
        currency = adjustment.currency
        amount = adjustment.amount
        balance = recorded.balance
        idempotencyKey = adjustment.idempotencyKey
        actor = recorded.actor
        reason = recorded.reason
        at = recorded.date
    }
}

struct PostingBody: Encodable {
    var app: BundleID
    var environment: Environment
    var currency: Currency
    var amount: Int
    var kind: String
    var product: ProductID?
    var cause: String?
    var at: Date

    init(_ posting: Posting) {
        app = posting.scope.app
        environment = posting.scope.environment
        currency = posting.currency
        amount = posting.amount
        kind = posting.kind.rawValue
        product = posting.product
        cause = posting.cause
        at = posting.date
    }
}
