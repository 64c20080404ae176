import Foundation
import InAppPurchase
import Ledger

/// The result of an edit of an app's settings.
struct AppChange: RecordedChange {
    var app: BundleID
    var outcome: CatalogChange.Outcome
    var before: Data?
    var after: Data?
    var files: (old: CatalogFile, new: CatalogFile)

    var changedProduct: ProductID? { nil }

    var auditKind: AuditEntry.Kind {
        switch outcome {
        case .added: .appAdded
        case .changed, .unchanged: .appChanged
        case .removed: .appRemoved
        }
    }

    var retractionKind: AuditEntry.Kind { .appNotChanged }
}
