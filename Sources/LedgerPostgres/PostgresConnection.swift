import CPostgres
import Foundation
import InAppPurchase
import LedgerSQL

/// One connection of libpq, closed with it. For one thread at a time.
package final class PostgresConnection {
    /// Statements whose names are kept, and texts whose placeholders are; beyond it others are sent as they are.
    static let statementsKept = 1_000
    /// How long libpq may hold back bytes that it decrypted already, which a socket does not tell of.
    private static let longestPoll: Duration = .milliseconds(50)

    private let handle: OpaquePointer
    private var isBroken = false
    private var isStreaming = false
    private var statements: [String: PostgresStatement] = [:]
    private var prepared: Set<String> = []
    /// Off where a pooler lends this connection's server to others between transactions.
    var usesNames = true

    /// - Throws: ``PostgresFailure`` where the server does not let us in, in time.
    package init(url: String, limits: PostgresLimits) throws {
        // What comes before the URL is a default, what comes after it is not to be changed by it.
        let parameters = [
            ("connect_timeout", "\(limits.connect.wholeMilliseconds / 1_000)"),
            ("tcp_user_timeout", "\(limits.writeStatement.wholeMilliseconds)"),
            ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
            ("fallback_application_name", "quartermaster"), ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let handle = withCStrings(parameters.map(\.0)) { keywords in
            withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let handle else { throw PostgresFailure(state: nil, message: "no memory for a connection") }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else { throw lost() }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    var isAlive: Bool { !isBroken && PQstatus(handle) == CONNECTION_OK }
    var isInFailedTransaction: Bool { PQtransactionStatus(handle) == PQTRANS_INERROR }

    /// Runs statements without arguments in one round trip.
    ///
    /// - Returns: what the last of them is called.
    @discardableResult
    package func execute(_ script: String, timeout: Duration) throws -> String {
        try demandQuiet()
        guard PQsendQuery(handle, script) == 1 else { throw lost() }
        return try lastResult(until: .now + timeout)?.command ?? ""
    }

    /// Runs a statement.
    ///
    /// - Returns: how many rows it changed.
    func run(_ sql: String, _ arguments: SQLArguments, timeout: Duration) throws -> Int {
        let deadline = ContinuousClock.now + timeout
        try send(sql, arguments, until: deadline)
        return try lastResult(until: deadline)?.changed ?? 0
    }

    /// Calls `body` for each row as it arrives. What it throws ends this, after the rest of the rows was thrown away.
    func each(_ sql: String, _ arguments: SQLArguments, timeout: Duration, _ body: (SQLRow) throws -> Void) throws {
        try send(sql, arguments, until: .now + timeout)
        guard PQsetSingleRowMode(handle) == 1 else { throw lost() }
        isStreaming = true
        defer { isStreaming = false }
        var columns: [String]?
        do {
            while let result = try nextResult(until: .now + timeout) {
                if let failure = result.failure { throw failure }
                let names = columns ?? result.columns
                columns = names
                for row in 0..<result.rowCount {
                    try body(SQLRow(columns: names, values: try result.values(ofRow: row)))
                }
            }
        } catch {
            while isAlive, (try? nextResult(until: .now + timeout)) != nil {}
            throw error
        }
    }
}

extension PostgresConnection {
    private func demandQuiet() throws {
        guard !isStreaming else { throw LedgerUnavailable("a statement was run while the rows of another were read") }
    }

    private func send(_ sql: String, _ arguments: SQLArguments, until deadline: ContinuousClock.Instant) throws {
        try demandQuiet()
        let statement = statement(for: sql)
        guard arguments.count == statement.parameters, let values = PostgresArguments(arguments) else {
            throw LedgerUnavailable("a statement has \(arguments.count) arguments for \(statement.parameters) places")
        }
        let isNamed = try usesNames && prepare(statement, until: deadline)
        let count = Int32(clamping: values.count)
        let isSent = values.withPointers { values, lengths, formats in
            isNamed
                ? PQsendQueryPrepared(handle, statement.name, count, values, lengths, formats, 1)
                : PQsendQueryParams(handle, statement.text, count, nil, values, lengths, formats, 1)
        }
        guard isSent == 1 else { throw lost() }
    }

    private func statement(for sql: String) -> PostgresStatement {
        if let statement = statements[sql] { return statement }
        let statement = PostgresStatement(sql)
        if statements.count < Self.statementsKept { statements[sql] = statement }
        return statement
    }

    /// - Returns: whether the server knows the statement by its name.
    private func prepare(_ statement: PostgresStatement, until deadline: ContinuousClock.Instant) throws -> Bool {
        if prepared.contains(statement.name) { return true }
        guard prepared.count < Self.statementsKept else { return false }
        guard PQsendPrepare(handle, statement.name, statement.text, 0, nil) == 1 else { throw lost() }
        _ = try lastResult(until: deadline)
        prepared.insert(statement.name)
        return true
    }

    /// Reads everything that the server answers to what was sent.
    private func lastResult(until deadline: ContinuousClock.Instant) throws -> PostgresResult? {
        var last: PostgresResult?
        var failure: PostgresFailure?
        while let result = try nextResult(until: deadline) {
            failure = failure ?? result.failure
            last = result
        }
        if let failure { throw failure }
        return last
    }

    private func nextResult(until deadline: ContinuousClock.Instant) throws -> PostgresResult? {
        while PQisBusy(handle) == 1 {
            try waitForInput(until: deadline)
            guard PQconsumeInput(handle) == 1 else { throw lost() }
        }
        return PQgetResult(handle).map(PostgresResult.init)
    }

    private func waitForInput(until deadline: ContinuousClock.Instant) throws {
        let left = deadline - .now
        guard left > .zero else {
            isBroken = true
            throw PostgresFailure(state: nil, message: "no answer in time", endsConnection: true)
        }
        var socket = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
        // An interruption looks like a time that is up, and both like nothing to read.
        _ = poll(&socket, 1, Int32(clamping: min(left, Self.longestPoll).wholeMilliseconds + 1))
    }

    /// What libpq says about the connection: hosts, users and databases, never a password.
    private func lost() -> PostgresFailure {
        isBroken = true
        return PostgresFailure(
            state: nil, message: String(cString: PQerrorMessage(handle)).oneLine, endsConnection: true)
    }
}

/// Calls `body` with the texts as C has them, and a null after the last.
private func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
}
