public import Foundation

/// An account on the server, and its secrets.
public struct PlayerAccount: Sendable, Codable, Equatable {
    /// The account's ID, which StoreKit gets as `appAccountToken`.
    public var id: UUID
    /// The code that opens the account on another device.
    public var recoveryCode: String?
    /// The token of this device's session.
    public var accessToken: String?

    public init(id: UUID, recoveryCode: String?, accessToken: String?) {
        self.id = id
        self.recoveryCode = recoveryCode
        self.accessToken = accessToken
    }
}
