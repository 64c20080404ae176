/// An account whose sessions were revoked.
struct RevokedBody: Encodable {
    var account: String
    /// The number of sessions that were open.
    var revoked: Int
}
