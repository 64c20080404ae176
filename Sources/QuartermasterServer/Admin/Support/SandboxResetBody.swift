/// An account whose sandbox purchases were reset.
struct SandboxResetBody: Encodable {
    var account: String
    /// The number of purchases, or subscriptions, that were forgotten.
    var forgotten: Int
}
