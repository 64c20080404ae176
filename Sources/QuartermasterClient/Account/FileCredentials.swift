public import Foundation

/// Keeps the account in a file that the owner alone may read, for Linux and for tests.
public struct FileCredentials: CredentialStore {
    private let file: URL

    /// - Parameter file: created with the first account. Accounts that another takes the place of go into a file beside
    ///   it, whose name ends with `.others`.
    public init(_ file: URL) { self.file = file }

    public func load() throws -> PlayerAccount? { try read(file) }

    public func save(_ account: PlayerAccount) throws {
        let known = try replaced()
        var others = known.filter { $0.id != account.id }
        if let before = try load(), before.id != account.id, before.recoveryCode != nil {
            others.append(PlayerAccount(id: before.id, recoveryCode: before.recoveryCode, accessToken: nil))
        }
        // First: until the account is written, both files have the one that it replaces.
        if others != known { try DurableFile.write(JSONEncoder().encode(others), to: othersFile) }
        try DurableFile.write(JSONEncoder().encode(account), to: file)
    }

    public func remove() throws {
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        try FileManager.default.removeItem(at: file)
    }

    public func otherAccounts() throws -> [PlayerAccount] {
        let own = try load()?.id
        return try replaced().filter { $0.id != own }
    }

    private var othersFile: URL { file.appendingPathExtension("others") }

    private func replaced() throws -> [PlayerAccount] { try read(othersFile) ?? [] }

    private func read<Value: Decodable>(_ file: URL) throws -> Value? {
        guard FileManager.default.fileExists(atPath: file.path) else { return nil }
        guard let bytes = try? Data(contentsOf: file), let value = try? JSONDecoder().decode(Value.self, from: bytes)
        else { throw CredentialsUnavailable(status: 0) }
        return value
    }
}
