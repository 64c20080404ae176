/// An account whose sandbox is empty.
struct SandboxResetBody: Encodable {
    var account: String
    /// How many purchases, or subscriptions, were forgotten.
    var forgotten: Int
}
