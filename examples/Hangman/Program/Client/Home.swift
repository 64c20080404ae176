import Foundation
import HangmanGame
import QuartermasterClient

/// The folder in which the game keeps everything.
struct Home: Sendable {
    /// A customer of the simulated App Store, and the device.
    struct Customer: Codable, Sendable {
        let customer: String
        let device: UUID
    }

    let folder: URL

    /// Makes the folder, which the player alone may read.
    init(_ path: String) throws {
        folder = URL(fileURLWithPath: NSString(string: path).expandingTildeInPath, isDirectory: true)
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    /// The folder of the client package.
    var shop: URL { folder.appendingPathComponent("shop", isDirectory: true) }
    var credentials: FileCredentials { FileCredentials(folder.appendingPathComponent("account.json")) }
    private var savedFile: URL { folder.appendingPathComponent("game.json") }

    /// Reads what was saved. If there is nothing, or nothing that can be read, the game begins anew.
    func saved() -> Saved {
        guard let bytes = try? Data(contentsOf: savedFile) else { return Saved() }
        return (try? JSONDecoder().decode(Saved.self, from: bytes)) ?? Saved()
    }

    func save(_ saved: Saved) throws {
        try JSONEncoder().encode(saved).write(to: savedFile, options: .atomic)
    }

    /// The customer, made at the first start.
    func customer() throws -> Customer {
        let file = folder.appendingPathComponent("customer.json")
        if let bytes = try? Data(contentsOf: file), let old = try? JSONDecoder().decode(Customer.self, from: bytes) {
            return old
        }
        let new = Customer(customer: UUID().uuidString.lowercased(), device: UUID())
        try JSONEncoder().encode(new).write(to: file, options: .atomic)
        return new
    }
}
