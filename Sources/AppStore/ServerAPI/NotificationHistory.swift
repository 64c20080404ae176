public import StoreClient

/// The notifications that the App Store sent, or tried to send, as far as they were read.
public struct NotificationHistory: Sendable {
    /// The signed notifications, to be verified like those that the App Store sends.
    public var signedPayloads: [String]
    /// The token to continue with, for the same filter; `nil` if all were read. The App Store forgets it after a while.
    public var continuation: String?
    /// The reason why there may be more; `nil` if all were read.
    public var interruption: Unavailability?
}
