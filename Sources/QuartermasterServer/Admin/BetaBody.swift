import Foundation

/// Whether an account is offered versions on the channel beta.
struct BetaBody: Encodable {
    var account: String
    /// Left out where it is not.
    var betaSince: Date?
}
