/// A database that the ledger is kept in. Safe to use from many tasks at once; blocking work is done on threads of its
/// own.
package protocol SQLDatabase: Sendable {
    /// Runs one transaction that may write; it sees no other's half-done work, as if they came one after the other.
    /// Durable when it returns.
    ///
    /// - Parameter work: is run again from its beginning where the database asks for that (a serialization failure); what
    ///   it throws rolls everything back.
    /// - Throws: ``InAppPurchase/LedgerUnavailable`` where the database cannot be asked now.
    func write<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// As ``write(_:)``, while no other transaction writes: what others wrote is all to be seen, and none of it is on its
    /// way. For what must not pass by a row that becomes visible after one with a greater number.
    func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value

    /// Runs one transaction that only reads, in one snapshot.
    func read<Value: Sendable>(_ work: @escaping @Sendable (any SQLTransaction) throws -> Value) async throws -> Value
}

extension SQLDatabase {
    /// The same as ``write(_:)``: right where there is one writer at a time anyway.
    package func writeAlone<Value: Sendable>(
        _ work: @escaping @Sendable (any SQLTransaction) throws -> Value
    ) async throws -> Value { try await write(work) }
}

package typealias SQLArguments = [(any SQLConvertible)?]
