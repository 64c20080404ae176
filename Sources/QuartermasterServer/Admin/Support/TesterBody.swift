import Foundation

/// Whether an administrator made an account a tester.
struct TesterBody: Encodable {
    var account: String
    /// Omitted if the account is no tester.
    var testerSince: Date?
}
