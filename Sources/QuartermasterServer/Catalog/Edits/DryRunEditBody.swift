import InAppPurchase

/// The answer to a dry run of an edit of the catalog: the entry before and after, `null` where there is none.
struct DryRunEditBody: Encodable {
    var before: JSONValue
    var after: JSONValue
    let dryRun = true

    init(_ change: some RecordedChange) { (before, after) = change.entries }
}
