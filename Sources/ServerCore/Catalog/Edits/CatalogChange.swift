package import Foundation
package import InAppPurchase
package import Ledger
import ServerHTTP

/// The result of an edit of a product.
package struct CatalogChange: RecordedChange {
    package enum Outcome: String, Encodable, Sendable {
        case added
        case changed
        case unchanged
        case removed
    }

    package var app: BundleID
    package var product: ProductID
    package var outcome: Outcome
    package var before: Data?
    package var after: Data?
    package var files: (old: CatalogFile, new: CatalogFile)

    package var changedProduct: ProductID? { product }

    package var auditKind: AuditEntry.Kind {
        switch outcome {
        case .added: .productAdded
        case .changed, .unchanged: .productChanged
        case .removed: .productRemoved
        }
    }

    package var retractionKind: AuditEntry.Kind { .productNotChanged }
}
