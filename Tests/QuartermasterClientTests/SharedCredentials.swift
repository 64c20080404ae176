import Foundation

@testable import QuartermasterClient

/// The credentials of a device whose recovery codes go to the player's other devices, as by iCloud Keychain.
struct SharedCredentials: CredentialStore {
    private let own: FileCredentials
    private let shared: URL

    /// - Parameters:
    ///   - own: the file of this device.
    ///   - shared: the folder that the devices have in common.
    init(_ own: URL, shared: URL) {
        self.own = FileCredentials(own)
        self.shared = shared
    }

    func load() throws -> PlayerAccount? { try own.load() ?? others(than: nil).first }

    func save(_ account: PlayerAccount) throws {
        try own.save(account)
        let code = PlayerAccount(id: account.id, recoveryCode: account.recoveryCode, accessToken: nil)
        try FileCredentials(shared.appending(path: account.id.uuidString)).save(code)
    }

    func remove() throws { try own.remove() }

    func otherAccounts() throws -> [PlayerAccount] {
        let shared = try others(than: load()?.id)
        return shared + (try own.otherAccounts()).filter { account in !shared.contains { $0.id == account.id } }
    }

    func mayReceiveAccounts() throws -> Bool { true }

    private func others(than own: UUID?) throws -> [PlayerAccount] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: shared.path)) ?? []
        return try names.sorted().compactMap { try FileCredentials(shared.appending(path: $0)).load() }
            .filter { $0.id != own }
    }
}
