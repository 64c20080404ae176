package import InAppPurchase

/// The change by an administrator's act: the state that it concerns, before and after it.
package struct SupportChange: Hashable, Sendable {
    package var before: [String: JSONValue]
    /// The state after it; the same as ``before`` if the act changes nothing.
    package var after: [String: JSONValue]

    package init(before: [String: JSONValue], after: [String: JSONValue]) {
        self.before = before
        self.after = after
    }
}
