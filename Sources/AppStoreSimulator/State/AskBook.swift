import Basics
import Foundation
import InAppPurchase

/// The purchases that somebody else has to approve (Ask to Buy), in the key/value store.
struct AskBook: Sendable {
    enum Decision: String, Sendable { case approved, declined }

    private static let prefix = "p_"

    let store: any KeyValueStore

    /// Stores the body of a request to buy, and returns the ID of the purchase that waits.
    func record(_ body: Data) async throws -> String {
        let id = Self.prefix + UUID().text
        try await store.set([Self.key(id): body])
        return id
    }

    /// The body of the request; `nil` if the ID is unknown.
    func body(_ id: String) async throws -> Data? {
        guard id.hasPrefix(Self.prefix), UUID(uuidString: String(id.dropFirst(Self.prefix.count))) != nil else {
            return nil
        }
        return try await store.value(forKey: Self.key(id))
    }

    /// Decides; `false` if it was decided before.
    func decide(_ id: String, _ decision: Decision) async throws -> Bool {
        let claim = Data("\(decision.rawValue) \(UUID().text)".utf8)
        return try await store.establish(claim, forKey: Self.key(id) + "/decision") == claim
    }

    private static func key(_ id: String) -> String { "simulator/asks/\(id)" }
}
