import CPostgres
import Ledger
import LedgerSQL

/// Owns one result of libpq.
final class PostgresResult {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) { self.handle = handle }

    deinit { PQclear(handle) }

    var status: ExecStatusType { PQresultStatus(handle) }
    var rowCount: Int { Int(PQntuples(handle)) }

    /// The number of rows that the statement changed.
    var changed: Int { Int(String(cString: PQcmdTuples(handle))) ?? 0 }

    /// The command tag: `COMMIT`, or `ROLLBACK` if the transaction to be committed had failed.
    var command: String { String(cString: PQcmdStatus(handle)) }

    var columns: [String] {
        (0..<PQnfields(handle)).map { column in PQfname(handle, column).map { String(cString: $0) } ?? "" }
    }

    /// - Throws: like ``values(ofRow:)``.
    var rows: [SQLRow] {
        get throws {
            let names = columns
            return try (0..<rowCount).map { SQLRow(columns: names, values: try values(ofRow: $0)) }
        }
    }

    /// - Throws: ``/Ledger/LedgerUnavailable`` if a column has a type that the ledger does not use.
    func values(ofRow row: Int) throws -> [SQLValue] {
        try (0..<PQnfields(handle)).map { column in
            let row = Int32(clamping: row)
            guard PQgetisnull(handle, row, column) == 0 else { return .null }
            let bytes = UnsafeRawBufferPointer(
                start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
            guard let value = PostgresType.value(bytes, type: PQftype(handle, column)) else {
                throw LedgerUnavailable(
                    "a column of PostgreSQL's type \(PQftype(handle, column)) holds no value of SQL")
            }
            return value
        }
    }

    /// The error that the server reports; `nil` if there is none.
    ///
    /// Its detail, hint and context are left out, and the message too if it is about a value: they may contain a
    /// receipt.
    var failure: PostgresError? {
        switch status {
        case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_SINGLE_TUPLE, PGRES_EMPTY_QUERY: return nil
        default:
            guard let state = field("C") else {
                let message = String(cString: PQresultErrorMessage(handle)).oneLine
                return PostgresError(state: nil, message: message, endsConnection: true)
            }
            let isAboutValue = state.hasPrefix("22")
            return PostgresError(
                state: state, message: isAboutValue ? "a value cannot be stored" : field("M") ?? "no message",
                endsConnection: PostgresError.endsConnection(state))
        }
    }

    private func field(_ code: Character) -> String? {
        code.asciiValue.flatMap { PQresultErrorField(handle, Int32($0)) }.map { String(cString: $0) }
    }
}
