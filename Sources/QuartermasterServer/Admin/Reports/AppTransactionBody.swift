import Foundation
import InAppPurchase
import Ledger

/// A signed app transaction that an account sent.
struct AppTransactionBody: Encodable {
    var app: BundleID
    var environment: InAppPurchase.Environment
    /// Omitted if Apple gave it none.
    var id: String?
    var originalAppVersion: String
    var originalPurchaseDate: Date
    var signedDate: Date
    var shownAt: Date
    var isFirst: Bool

    init(_ shown: ShownAppTransaction) {
        app = shown.transaction.app
        environment = shown.transaction.environment
        id = shown.transaction.id
        originalAppVersion = shown.transaction.originalAppVersion
        originalPurchaseDate = shown.transaction.originalPurchaseDate
        signedDate = shown.transaction.signedDate
        shownAt = shown.date
        isFirst = shown.isFirst
    }
}
