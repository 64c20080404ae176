import Ledger

/// An error of PostgreSQL or of the connection to it.
struct PostgresError: Error {
    /// The SQLSTATE: five characters, of which two are the class; `nil` if there was no answer.
    var state: String?
    /// The message, without any value of a statement.
    var message: String
    /// Whether the connection is unusable.
    var endsConnection = false
    var place = Place.asked

    /// The statement of a batch that failed.
    enum Place {
        /// One that begins the transaction.
        case beginning
        /// One before the requested statement, which was then skipped.
        case earlier
        /// The requested statement, the last of the batch.
        case asked
    }

    /// `unique_violation`: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    static let uniqueViolation = "23505"

    /// Whether it is certain that the last statement was not run.
    var isBeforeLast: Bool { place != .asked && state != nil }

    /// The way to recover.
    enum Remedy: Equatable {
        case none
        /// Retry: another transaction was in conflict.
        case again
        /// Retry on a new connection.
        case reconnect
        /// Retry without prepared statements.
        case unnamed
    }

    /// The way to recover from a failed transaction.
    ///
    /// A unique violation (23505) that another transaction caused is a conflict that PostgreSQL does not always report
    /// as a serialization failure; run again, the transaction finds the other's row:
    /// <https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html>.
    ///
    /// - Parameter isAlone: whether no other transaction could write meanwhile. A unique violation is then an error of
    ///   our own.
    func remedy(isAlone: Bool) -> Remedy {
        if endsConnection { return .reconnect }
        return switch state {
        case "40001", "40P01": .again
        case Self.uniqueViolation: isAlone ? .none : .again
        // A pooler lent the server with the prepared statement to another client, or gave us one that has the name
        // already.
        case "26000", "42P05": .unnamed
        // A table's columns changed after the statement was prepared, or the server became a standby.
        case "0A000", "25006": .reconnect
        default: .none
        }
    }

    /// Whether the server is shutting down or starting, or a pooler lost it.
    static func endsConnection(_ state: String) -> Bool {
        state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state)
    }
}

extension LedgerUnavailable {
    init(_ failure: PostgresError) {
        self.init("PostgreSQL\(failure.state.map { " \($0)" } ?? ""): \(failure.message)")
    }
}

extension String {
    /// The message on one line; those of libpq may have several lines, end with a line feed, or be empty.
    var oneLine: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? "the connection was lost" : line
    }
}
