import Foundation

/// An extension of a subscription's period.
struct SimulatorRenewalExtension: Hashable, Codable, Sendable {
    var requestIdentifier: String
    var days: Int
    var date: Date
    /// The end of the period after the extension.
    var effectiveDate: Date?
}
