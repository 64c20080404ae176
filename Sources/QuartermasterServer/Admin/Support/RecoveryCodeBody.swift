/// An account that got a new recovery code.
struct RecoveryCodeBody: Encodable {
    var account: String
    /// The code, which is shown this once.
    var recoveryCode: String?
}
