/// The account cannot be read now, for example before the device was unlocked first. Try again later.
public struct CredentialsUnavailable: Error, Sendable {
    /// The system's status, for a log.
    public var status: Int

    public init(status: Int) { self.status = status }
}
