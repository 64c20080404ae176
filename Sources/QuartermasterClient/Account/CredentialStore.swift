/// The place where the device stores its account: the keychain, or a file. It is never called on the main thread.
public protocol CredentialStore: Sendable {
    /// The account, or `nil` if the device has none.
    ///
    /// - Throws: ``CredentialsUnavailable`` if it cannot be read now. That is never the same as having none.
    func load() throws -> PlayerAccount?
    /// Replaces the account. When this returns, it survives the end of the process.
    func save(_ account: PlayerAccount) throws
    /// Removes the account. The second time nothing happens.
    func remove() throws
    /// Accounts of the same player, with their recovery codes, without the one of ``load()``: those that came from
    /// their other devices, and those that another took the place of on this one. Whether to open one of them is the
    /// player's choice.
    func otherAccounts() throws -> [PlayerAccount]
    /// Whether ``load()`` may find an account later that another device has written, as with iCloud Keychain on a new
    /// device.
    func mayReceiveAccounts() throws -> Bool
}

extension CredentialStore {
    /// The default: no, for a store that no other device writes to.
    public func mayReceiveAccounts() throws -> Bool { false }
}
