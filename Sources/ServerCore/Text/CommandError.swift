import AuditSeal
import Ledger
import ServerHTTP

/// The failure of a command: one line that says what failed and where.
package struct CommandError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}

extension CommandError {
    /// Runs a command's work on a ledger, and turns errors of the ledger, of its audit trail and of the admin API into
    /// errors of the command.
    ///
    /// - Parameter ledger: its name, or its path, in messages.
    /// - Throws: ``CommandError`` for a ledger that cannot be read or written, a trail or a key that is wrong, a
    ///   ``/ServerHTTP/Problem`` and a ``/Ledger/LedgerRefusal``; any other error as it is.
    package static func naming<Result>(_ ledger: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as LedgerUnavailable {
            throw CommandError("\(ledger): the ledger cannot be read: \(error.detail)")
        } catch let error where error is TrailError || error is AuditKeyError {
            throw CommandError("\(ledger): \(error)")
        } catch let error where error is Problem || error is LedgerRefusal {
            let problem = Problem.from(error).problem
            throw CommandError([problem.title, problem.detail].compactMap { $0 }.joined(separator: ": "))
        }
    }
}
