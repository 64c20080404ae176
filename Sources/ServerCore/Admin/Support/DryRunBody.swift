package import InAppPurchase
package import Ledger

/// The answer to a dry run: what an act would change. Both members are the same if it would change nothing.
package struct DryRunBody: Encodable {
    package var before: [String: JSONValue]
    package var after: [String: JSONValue]
    package let dryRun = true

    package init(_ change: SupportChange) {
        before = change.before
        after = change.after
    }
}
