/// Notifications that the store sent, or tried to send, as far as they were read.
public struct NotificationHistory: Sendable {
    /// As they were signed, to be verified like those that come by themselves.
    public var signedPayloads: [String]
    /// Where to go on, with the same filter; nil where this is all. The store forgets it after a while.
    public var continuation: String?
    /// Why there may be more; nil where this is all.
    public var interruption: Unavailability?
}
