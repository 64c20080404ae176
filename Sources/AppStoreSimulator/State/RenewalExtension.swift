import Foundation

/// One time that a subscription's period was made longer for nothing.
struct RenewalExtension: Hashable, Codable, Sendable {
    var requestIdentifier: String
    var days: Int
    var date: Date
    /// The end of the period since then.
    var effectiveDate: Date?
}
