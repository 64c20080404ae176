import Foundation
import InAppPurchase
import Ledger

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
