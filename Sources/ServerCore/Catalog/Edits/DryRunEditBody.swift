package import InAppPurchase

/// The answer to a dry run of an edit of the catalog: the entry before and after, `null` where there is none.
package struct DryRunEditBody: Encodable {
    package var before: JSONValue
    package var after: JSONValue
    package let dryRun = true

    package init(_ change: some RecordedChange) { (before, after) = change.entries }
}
