import Foundation

/// The body of the simulator's `POST /simulator/v1/purchases`.
struct SimulatorOrder: Sendable, Encodable {
    var bundleID: String
    var productID: String
    var appAccountToken: UUID
    var quantity: Int
    var environment: StoreEnvironment
    var customer: String
    var device: UUID
    /// `pending`: somebody has to approve it; `cancelled`: the customer does not pay.
    var outcome: String?
}
