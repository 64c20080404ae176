/// The account cannot be read or written now. That is never the same as having none: nothing is created in its place.
public struct CredentialsUnavailable: Error, Sendable, CustomStringConvertible {
    /// The cause, as far as the system names it.
    public enum Reason: Sendable {
        /// The device was not unlocked since its start (-25308): try again later.
        case locked
        /// The app is not signed with the entitlement for the keychain or the access group (-34018), as an unsigned
        /// build for macOS or a misspelt group: trying again changes nothing.
        case missingEntitlement
        /// Another one, see ``CredentialsUnavailable/status``.
        case other
    }

    /// The system's status, for a log.
    public var status: Int

    public init(status: Int) { self.status = status }

    /// The cause that ``status`` stands for.
    public var reason: Reason {
        switch status {
        case -25_308: .locked
        case -34_018: .missingEntitlement
        default: .other
        }
    }

    public var description: String { "CredentialsUnavailable: \(reason), status \(status)" }
}
