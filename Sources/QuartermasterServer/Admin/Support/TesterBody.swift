import Foundation

/// Whether an administrator made an account a tester.
struct TesterBody: Encodable {
    var account: String
    /// Omitted if it is none.
    var testerSince: Date?
}
