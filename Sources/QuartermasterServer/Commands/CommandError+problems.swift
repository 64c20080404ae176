import Ledger

extension CommandError {
    /// Runs what a command does, with the errors of the admin API as errors of the command.
    ///
    /// - Parameter ledger: the ledger's name in messages.
    /// - Throws: ``CommandError`` for a ``Problem``, a ``LedgerRefusal`` and a ledger that cannot be read or written.
    static func naming<Result>(_ ledger: String, _ body: () async throws -> Result) async throws -> Result {
        do {
            return try await body()
        } catch let error as LedgerUnavailable {
            throw CommandError("\(ledger): the ledger cannot be used: \(error.detail)")
        } catch let error where error is Problem || error is LedgerRefusal {
            let problem = Problem.from(error).problem
            throw CommandError([problem.title, problem.detail].compactMap { $0 }.joined(separator: ": "))
        }
    }
}
