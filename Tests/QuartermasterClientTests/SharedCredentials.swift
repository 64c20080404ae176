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

    func load() throws -> Account? { try own.load() }

    func save(_ account: Account) throws {
        try own.save(account)
        let code = Account(id: account.id, recoveryCode: account.recoveryCode, accessToken: nil)
        try FileCredentials(shared.appending(path: account.id.uuidString)).save(code)
    }

    func remove() throws { try own.remove() }

    func otherAccounts() throws -> [Account] {
        let own = try own.load()?.id
        return try FileManager.default.contentsOfDirectory(atPath: shared.path).sorted()
            .compactMap { try FileCredentials(shared.appending(path: $0)).load() }.filter { $0.id != own }
    }
}
