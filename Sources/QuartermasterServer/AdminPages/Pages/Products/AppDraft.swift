import Foundation
import InAppPurchase

/// Settings of an app that an administrator wants to save, with what they were made from.
struct AppDraft: ReviewedDraft {
    let app: BundleID
    let entry: Data
    let base: Data
    let revision: String

    var edit: AppEdit {
        let revision = revision
        return AppEdit(app: app, act: .put(entry)) { exists, current in
            revision == Self.new ? !exists : exists && current == revision
        }
    }

    var editOfAny: AppEdit { AppEdit(app: app, act: .put(entry)) }
}
