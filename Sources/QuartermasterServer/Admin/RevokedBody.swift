/// An account whose sessions ended.
struct RevokedBody: Encodable {
    var account: String
    /// How many sessions were open.
    var revoked: Int
}
