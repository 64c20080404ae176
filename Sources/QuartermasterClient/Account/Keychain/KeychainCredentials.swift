#if canImport(Security)
    import Foundation

    /// Keeps the account in the keychain, which outlives the app.
    ///
    /// The access token never leaves the device. The recovery code goes into encrypted backups and, unless the app says
    /// ``Sharing/device``, into iCloud Keychain, and so to the player's other devices: there the account is found
    /// without a login. Each account has an item of its own, so that two devices that made one each do not overwrite
    /// each other's code, and so that signing in to another account loses none.
    public struct KeychainCredentials: CredentialStore {
        /// The devices that the recovery code is shared with.
        public enum Sharing: Sendable {
            /// It stays on the device and in its encrypted backups. A new device that is set up from an iCloud backup
            /// does not have it: the player has to enter it.
            case device
            /// It also goes to the devices of the same Apple Account that have iCloud Keychain on. The default: without
            /// it, a player with a new device has no way to their credits but the code that they wrote down.
            case iCloud
        }

        private let keychain: Keychain
        private let sharing: Sharing

        /// - Parameters:
        ///   - bundleID: the app's; the name of the keychain service is `quartermaster.` and this ID.
        ///   - accessGroup: a group of the app's entitlements, with its prefix, for the app's extensions and the
        ///     studio's other apps. Choose it before the first release: items of another group are not found.
        public init(bundleID: String, sharing: Sharing = .iCloud, accessGroup: String? = nil) {
            keychain = Keychain(service: "quartermaster.\(bundleID)", accessGroup: accessGroup)
            self.sharing = sharing
        }

        /// The device's own account; if it has none and the player did not sign out here, the oldest found in iCloud.
        public func load() throws -> PlayerAccount? {
            if let own = try own() { return own }
            return try mayReceiveAccounts() ? try shared().first : nil
        }

        public func mayReceiveAccounts() throws -> Bool {
            let signedOut: Bool? = try keychain.value(.signedOut)
            return sharing == .iCloud && signedOut == nil
        }

        /// The accounts whose codes came from other devices, oldest first, then those that were replaced on this
        /// device.
        public func otherAccounts() throws -> [PlayerAccount] {
            let own = try load()?.id
            let shared = try sharing == .iCloud ? shared() : []
            let replaced = try accounts(withPrefix: KeychainItem.replacedPrefix, isShared: false)
            let more = replaced.filter { account in !shared.contains { $0.id == account.id } }
            return (shared + more).filter { $0.id != own }
        }

        public func save(_ account: PlayerAccount) throws {
            let before: StoredCode? = try keychain.value(.recoveryCode)
            if let before, before.account != account.id {
                try keychain.save(before, as: .replacedCode(before.account))
            }
            // The code first: without it the account is lost when the session ends.
            if let code = account.recoveryCode {
                let stored = StoredCode(account: account.id, recoveryCode: code)
                try keychain.save(stored, as: .recoveryCode)
                if sharing == .iCloud { try keychain.save(stored, as: .sharedCode(account.id)) }
            } else {
                try keychain.remove(.recoveryCode)
            }
            let session = StoredSession(account: account.id, accessToken: account.accessToken)
            try keychain.save(session, as: .session)
        }

        /// Removes the account from this device, and its code from iCloud. Codes of other accounts stay there, but this
        /// device does not open one of them by itself any more.
        public func remove() throws {
            let own = try own()
            if sharing == .iCloud { try keychain.save(true, as: .signedOut) }
            if let own {
                try keychain.remove(.sharedCode(own.id))
                try keychain.remove(.replacedCode(own.id))
            }
            try keychain.remove(.session)
            try keychain.remove(.recoveryCode)
        }

        private func own() throws -> PlayerAccount? {
            let code: StoredCode? = try keychain.value(.recoveryCode)
            let session: StoredSession? = try keychain.value(.session)
            // If they differ, the process ended between the two writes, and the code was written first.
            if let code, code.account != session?.account {
                return PlayerAccount(id: code.account, recoveryCode: code.recoveryCode, accessToken: nil)
            }
            guard let session else { return nil }
            return PlayerAccount(
                id: session.account, recoveryCode: code?.recoveryCode, accessToken: session.accessToken)
        }

        private func shared() throws -> [PlayerAccount] {
            try accounts(withPrefix: KeychainItem.sharedPrefix, isShared: true)
        }

        private func accounts(withPrefix prefix: String, isShared: Bool) throws -> [PlayerAccount] {
            let codes: [StoredCode] = try keychain.values(withPrefix: prefix, isShared: isShared)
            return codes.map { PlayerAccount(id: $0.account, recoveryCode: $0.recoveryCode, accessToken: nil) }
        }
    }

    private struct StoredSession: Codable {
        let account: UUID
        let accessToken: String?
    }

    private struct StoredCode: Codable {
        let account: UUID
        let recoveryCode: String
    }
#endif
