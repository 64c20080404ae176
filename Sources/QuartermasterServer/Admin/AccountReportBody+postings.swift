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
        (receipt, kind, status, reason) = (facts.id, facts.kind, facts.status, facts.rejection)
        (bundleID, attempts) = (facts.bundleID, facts.attempts.count)
        (recordedAt, answeredAt, retryAt) = (facts.recordedAt, facts.answeredAt, facts.retryAt)
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
        (app, environment) = (spend.scope.app, spend.scope.environment)
        (currency, amount, balance) = (spend.currency, spend.amount, recorded.balance)
        (idempotencyKey, at) = (spend.idempotencyKey, recorded.date)
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
        (app, environment) = (adjustment.scope.app, adjustment.scope.environment)
        (currency, amount, balance) = (adjustment.currency, adjustment.amount, recorded.balance)
        (idempotencyKey, actor) = (adjustment.idempotencyKey, recorded.actor)
        (reason, at) = (recorded.reason, recorded.date)
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
        (app, environment) = (posting.scope.app, posting.scope.environment)
        (currency, amount, kind) = (posting.currency, posting.amount, posting.kind.rawValue)
        (product, cause, at) = (posting.product, posting.cause, posting.date)
    }
}
