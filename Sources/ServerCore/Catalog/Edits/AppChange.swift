package import Foundation
package import InAppPurchase
package import Ledger

/// The result of an edit of an app's settings.
package struct AppChange: RecordedChange {
    package var app: BundleID
    package var outcome: CatalogChange.Outcome
    package var before: Data?
    package var after: Data?
    package var files: (old: CatalogFile, new: CatalogFile)

    package var changedProduct: ProductID? { nil }

    package var auditKind: AuditEntry.Kind {
        switch outcome {
        case .added: .appAdded
        case .changed, .unchanged: .appChanged
        case .removed: .appRemoved
        }
    }

    package var retractionKind: AuditEntry.Kind { .appNotChanged }

    /// A line for each setting that the edit adds (`+`), removes (`-`) or changes (`~`), with its values.
    package var lines: [String] {
        let (old, new) = (settings(in: files.old), settings(in: files.new))
        return Set(old.keys).union(new.keys).sorted().compactMap { name in
            switch (old[name], new[name]) {
            case (nil, let value?): "+ \(name): \(value)"
            case (let value?, nil): "- \(name): \(value)"
            case (let before?, let after?) where before != after: "~ \(name): \(before) to \(after)"
            default: nil
            }
        }
    }

    private func settings(in file: CatalogFile) -> [String: String] {
        let index = file.catalog.apps.firstIndex { $0.bundleID == app }
        return index.flatMap { file.text?.settings(ofApp: $0) }?.mapValues { String(decoding: $0, as: UTF8.self) }
            ?? [:]
    }
}
