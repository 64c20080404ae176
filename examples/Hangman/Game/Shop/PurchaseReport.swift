/// The result of a purchase, for the line at the bottom.
package enum PurchaseReport: Sendable, Equatable {
    case delivered, alreadyDelivered
    /// Somebody else has to approve it.
    case pending
    /// It is paid and kept, and delivered as soon as the server has judged it.
    case waiting
    case denied(String)
    case cancelled
    /// It did not come to a purchase, for a reason in words.
    case failed(String)

    package var text: String {
        switch self {
        case .delivered: "delivered"
        case .alreadyDelivered: "delivered already"
        case .pending: "waits for approval"
        case .waiting: "paid, and delivered as soon as the store can be asked"
        case .denied(let reason): "not delivered: \(reason)"
        case .cancelled: "cancelled"
        case .failed(let reason): reason
        }
    }
}
