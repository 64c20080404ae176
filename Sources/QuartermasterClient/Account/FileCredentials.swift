public import Foundation

/// Keeps the account in a file that the owner alone may read, for Linux and for tests.
public struct FileCredentials: CredentialStore {
    private let file: URL

    /// - Parameter file: created with the first account.
    public init(_ file: URL) { self.file = file }

    public func load() throws -> Account? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let bytes = try? Data(contentsOf: file),
            let account = try? JSONDecoder().decode(Account.self, from: bytes)
        else { throw CredentialsUnavailable(status: 0) }
        return account
    }

    public func save(_ account: Account) throws { try DurableFile.write(JSONEncoder().encode(account), to: file) }

    public func remove() throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }
}
