import InAppPurchase
import Ledger

/// The answer to a dry run: what an act would change. Both members are the same if it would change nothing.
struct DryRunBody: Encodable {
    var before: [String: JSONValue]
    var after: [String: JSONValue]
    let dryRun = true

    init(_ change: SupportChange) {
        before = change.before
        after = change.after
    }
}
