import Foundation
import InAppPurchase
import Ledger
import ServerHTTP

/// The result of an edit of a product.
struct CatalogChange: RecordedChange {
    enum Outcome: String, Encodable, Sendable {
        case added
        case changed
        case unchanged
        case removed
    }

    var app: BundleID
    var product: ProductID
    var outcome: Outcome
    var before: Data?
    var after: Data?
    var files: (old: CatalogFile, new: CatalogFile)

    var changedProduct: ProductID? { product }

    var auditKind: AuditEntry.Kind {
        switch outcome {
        case .added: .productAdded
        case .changed, .unchanged: .productChanged
        case .removed: .productRemoved
        }
    }

    var retractionKind: AuditEntry.Kind { .productNotChanged }
}
