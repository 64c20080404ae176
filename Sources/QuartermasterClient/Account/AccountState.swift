public import Foundation

/// The state of the device's account.
public enum AccountState: Sendable, Equatable {
    /// There is none yet: it is created with the first purchase, install, spend or restore.
    case none
    /// It has a session, as far as the server has said.
    case signedIn(UUID)
    /// Its session has ended, and the stored recovery code opens no other: ask the player for the code.
    case signedOut(UUID)
    /// An administrator blocked it: refer the player to support.
    case blocked(UUID)
    /// The device cannot read it now, for example before the first unlock.
    case unavailable

    /// The account's ID, if there is an account.
    public var id: UUID? {
        switch self {
        case .signedIn(let id), .signedOut(let id), .blocked(let id): id
        case .none, .unavailable: nil
        }
    }
}
