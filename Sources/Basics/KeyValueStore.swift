package import Foundation

/// A few small values that must survive a restart and be shared by replicas: signing keys, what the simulator keeps.
///
/// Implemented by each ledger. Every call is durable when it returns. Keys are paths such as `simulator/keys/ec`.
package protocol KeyValueStore: Sendable {
    /// Returns the value; `nil` if there is none.
    func value(forKey key: String) async throws -> Data?

    /// Returns all values whose key begins with `prefix`, by key.
    func values(withPrefix prefix: String) async throws -> [String: Data]

    /// Writes the value unless there is one already, and returns the one that stands: of two replicas that start at
    /// the same time both get the same.
    func establish(_ value: Data, forKey key: String) async throws -> Data

    /// Writes all values, or none if it throws; replaces what was there.
    func set(_ values: [String: Data]) async throws

    /// Removes all values, or none if it throws; keys without a value are ignored.
    func removeValues(forKeys keys: [String]) async throws
}
