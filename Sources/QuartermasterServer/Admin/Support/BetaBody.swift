import Foundation

/// Whether an account is offered versions on the beta channel.
struct BetaBody: Encodable {
    var account: String
    /// Omitted if the account is not.
    var betaSince: Date?
}
