import InAppPurchase

/// Why the server did not do what it was asked.
struct PostgresFailure: Error {
    /// SQLSTATE: five characters, of which two are the class; nil where there was no answer.
    var state: String?
    /// Holds no value of a statement.
    var message: String
    /// Whether the connection is of no more use.
    var endsConnection = false
    var place = Place.asked

    /// Which of the statements failed that were sent together.
    enum Place {
        /// One that begins the transaction.
        case beginning
        /// One before the one that was asked for, which was skipped then.
        case earlier
        /// The last.
        case asked
    }

    /// `unique_violation`: <https://www.postgresql.org/docs/current/errcodes-appendix.html>.
    static let uniqueViolation = "23505"

    /// Whether it is certain that the last statement was not run.
    var isBeforeLast: Bool { place != .asked && state != nil }

    /// What to do about it.
    enum Remedy: Equatable {
        case none
        /// The same again: another transaction was in the way.
        case again
        /// The same again on a new connection.
        case reconnect
        /// The same again without names for statements.
        case unnamed
    }

    /// What to do about the failure of a transaction.
    ///
    /// A unique violation (23505) that another transaction caused is a conflict that PostgreSQL does not always see as
    /// one; run again, the transaction finds the other's row:
    /// <https://www.postgresql.org/docs/current/mvcc-serialization-failure-handling.html>.
    ///
    /// - Parameter isAlone: whether no other transaction could write meanwhile. A unique violation is a mistake of our
    ///   own then.
    func remedy(isAlone: Bool) -> Remedy {
        if endsConnection { return .reconnect }
        return switch state {
        case "40001", "40P01": .again
        case Self.uniqueViolation: isAlone ? .none : .again
        // A pooler gave the name's connection to somebody else, or one that has the name already to us.
        case "26000", "42P05": .unnamed
        // A table has other columns than when the statement was prepared, or the server became a standby.
        case "0A000", "25006": .reconnect
        default: .none
        }
    }

    /// Whether the server is going away or coming up, or a pooler lost it.
    static func endsConnection(_ state: String) -> Bool {
        state.hasPrefix("08") || ["57P01", "57P02", "57P03", "57P05", "25P03"].contains(state)
    }
}

extension LedgerUnavailable {
    init(_ failure: PostgresFailure) {
        self.init("PostgreSQL\(failure.state.map { " \($0)" } ?? ""): \(failure.message)")
    }
}

extension String {
    /// A message of libpq, which has several lines, ends with one, or is empty.
    var oneLine: String {
        let line = split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? "the connection was lost" : line
    }
}
