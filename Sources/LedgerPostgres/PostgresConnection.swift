import CPostgres
import Ledger
import LedgerSQL

/// One connection to PostgreSQL in pipeline mode. For one thread at a time.
///
/// Statements whose results are not needed are queued, and sent in one batch with the next whose result is. After a
/// failure the server skips the rest of the batch: <https://www.postgresql.org/docs/current/libpq-pipeline-mode.html>.
package final class PostgresConnection {
    /// The maximum number of prepared statements, and of cached texts; beyond it, statements are sent unprepared.
    static let maximumStatements = 1_000

    private let handle: PostgresHandle
    private var pipeline = PostgresPipeline()
    private var isStreaming = false
    private var statements: [String: PostgresStatement] = [:]
    private var prepared: Set<String> = []
    /// `false` if a connection pooler lends this connection's server to others between transactions.
    var usesNames = true
    /// The state that the server reported at the end of the last batch.
    private(set) var isInFailedTransaction = false

    /// - Throws: ``PostgresError`` if the server does not accept the connection in time.
    package init(url: String, limits: PostgresLimits) throws {
        handle = try PostgresHandle(url: url, limits: limits)
        try handle.require(PQenterPipelineMode(handle.raw))
    }

    var isAlive: Bool { handle.isAlive }
    /// Whether so much is queued that it should be flushed.
    var isFull: Bool { pipeline.isFull }
    /// The present end of the queue.
    var mark: PostgresPipeline.Mark { pipeline.mark }

    /// Whether a statement of this purpose is queued.
    func awaits(_ purpose: PostgresPipeline.Purpose) -> Bool { pipeline.contains(purpose) }

    /// Discards statements that were queued after the mark and not sent.
    ///
    /// - Returns: `true` if none after it had been sent.
    func forget(after mark: PostgresPipeline.Mark) -> Bool { pipeline.forget(after: mark) }

    /// Runs statements without arguments in one round trip, after the queued ones.
    package func execute(_ script: String, timeout: Duration) throws {
        try requireIdle()
        try flush(timeout: timeout)
        try handle.require(PQexitPipelineMode(handle.raw))
        try handle.require(PQsendQuery(handle.raw, script))
        defer { isInFailedTransaction = handle.isInFailedTransaction }
        let outcome = Result { try handle.answer(until: .now + timeout) }
        if handle.isAlive { try handle.require(PQenterPipelineMode(handle.raw)) }
        _ = try outcome.get()
    }

    /// Queues a statement for the next batch, which throws its errors.
    ///
    /// - Parameter isNamed: whether the server prepares it under a name.
    /// - Throws: ``/Ledger/LedgerUnavailable`` if the numbers of arguments and placeholders differ.
    func queue(
        _ sql: String, _ arguments: SQLArguments = [], for purpose: PostgresPipeline.Purpose = .work,
        isNamed: Bool = true
    ) throws {
        try requireIdle()
        let statement = statement(for: sql)
        guard arguments.count == statement.parameters, let values = PostgresArguments(arguments) else {
            throw LedgerUnavailable("a statement has \(arguments.count) arguments for \(statement.parameters) places")
        }
        pipeline.append(
            PostgresPipeline.Step(statement: statement, arguments: values, purpose: purpose, isNamed: isNamed))
    }

    /// Runs a statement, after all queued ones.
    ///
    /// - Throws: ``PostgresError``, also of queued statements.
    func ask(
        _ sql: String, _ arguments: SQLArguments = [], isNamed: Bool = true, timeout: Duration
    ) throws -> PostgresResult {
        try queue(sql, arguments, isNamed: isNamed)
        var result: PostgresResult?
        try exchange(timeout: timeout) { result = try handle.answer(until: .now + timeout) }
        guard let result else { throw handle.lost() }
        return result
    }

    /// Runs the queued statements, and returns the results of the last ones.
    ///
    /// - Throws: ``PostgresError`` of any of them.
    func results(ofLast count: Int, timeout: Duration) throws -> [PostgresResult] {
        var last: PostgresResult?
        let earlier = try exchange(timeout: timeout, wanted: count) { last = try handle.answer(until: .now + timeout) }
        guard let last, earlier.count == count - 1 else { throw handle.lost() }
        return earlier + [last]
    }

    /// Runs a statement, and calls `body` for each row as it arrives. If `body` throws, the remaining rows are
    /// discarded.
    func each(_ sql: String, _ arguments: SQLArguments, timeout: Duration, _ body: (SQLRow) throws -> Void) throws {
        try queue(sql, arguments)
        try exchange(timeout: timeout) {
            try handle.require(PQsetSingleRowMode(handle.raw))
            isStreaming = true
            defer { isStreaming = false }
            var columns: [String]?
            while let result = try handle.nextResult(until: .now + timeout) {
                if let failure = result.failure { throw failure }
                let names = columns ?? result.columns
                columns = names
                for row in 0..<result.rowCount {
                    try body(SQLRow(columns: names, values: try result.values(ofRow: row)))
                }
            }
        }
    }

    /// Runs the queued statements.
    func flush(timeout: Duration) throws {
        guard !pipeline.steps.isEmpty else { return }
        try exchange(timeout: timeout) { _ = try handle.answer(until: .now + timeout) }
    }
}

extension PostgresConnection {
    /// The expected answer to one message.
    private struct Answer {
        let place: PostgresError.Place
        /// The name of the statement that is prepared with it.
        var name: String?
        /// Whether the caller wants the result, besides that to the last statement.
        var isWanted = false
    }

    private func requireIdle() throws {
        guard !isStreaming else { throw LedgerUnavailable("a statement was run while the rows of another were read") }
    }

    private func statement(for sql: String) -> PostgresStatement {
        if let statement = statements[sql] { return statement }
        let statement = PostgresStatement(sql)
        if statements.count < Self.maximumStatements { statements[sql] = statement }
        return statement
    }

    /// Sends the queued statements, and reads the answers; those to the last statement by `readLast`.
    ///
    /// - Parameters:
    ///   - timeout: of each statement. The server may hold back the answers until the last of them is done.
    ///   - wanted: the number of statements at the end, the last included, whose results the caller wants.
    /// - Returns: the wanted results but the last.
    @discardableResult
    private func exchange(
        timeout: Duration, wanted: Int = 1, _ readLast: () throws -> Void
    ) throws -> [PostgresResult] {
        let deadline = ContinuousClock.now + timeout * pipeline.workload
        let answers = try send(pipeline.drain(), wanted: wanted)
        var results: [PostgresResult] = []
        defer { isInFailedTransaction = handle.isInFailedTransaction }
        do {
            for due in answers.dropLast() {
                let result = try placing(due.place) { try handle.answer(until: deadline) }
                if due.isWanted, let result { results.append(result) }
                if let name = due.name { prepared.insert(name) }
            }
            try placing(answers.last?.place ?? .asked, readLast)
            let end = try handle.nextResult(until: .now + timeout)
            guard end?.status == PGRES_PIPELINE_SYNC else { throw end?.failure ?? handle.lost() }
            return results
        } catch {
            handle.drain(atMost: answers.count, timeout: timeout)
            throw error
        }
    }

    /// - Returns: the expected answers; the last is that to the last statement.
    private func send(_ steps: [PostgresPipeline.Step], wanted: Int) throws -> [Answer] {
        guard handle.isAlive else { throw handle.lost() }
        var (answers, named) = ([Answer](), Set<String>())
        for (number, step) in steps.enumerated() {
            let (name, text) = (step.statement.name, step.statement.text)
            let isLast = number == steps.count - 1
            let place: PostgresError.Place = step.purpose == .beginning ? .beginning : isLast ? .asked : .earlier
            let mayName = step.isNamed && usesNames && prepared.count + named.count < Self.maximumStatements
            let isKnown = step.isNamed && usesNames && (prepared.contains(name) || named.contains(name))
            if mayName, !isKnown {
                try handle.require(PQsendPrepare(handle.raw, name, text, 0, nil))
                named.insert(name)
                answers.append(Answer(place: place == .asked ? .earlier : place, name: name))
            }
            let count = Int32(clamping: step.arguments.count)
            try handle.require(
                step.arguments.withPointers { values, lengths, formats in
                    isKnown || mayName
                        ? PQsendQueryPrepared(handle.raw, name, count, values, lengths, formats, 1)
                        : PQsendQueryParams(handle.raw, text, count, nil, values, lengths, formats, 1)
                })
            answers.append(Answer(place: place, isWanted: number >= steps.count - wanted))
        }
        try handle.require(PQpipelineSync(handle.raw))
        return answers
    }

    private func placing<Value>(_ place: PostgresError.Place, _ body: () throws -> Value) throws -> Value {
        do { return try body() } catch var failure as PostgresError {
            failure.place = place
            throw failure
        }
    }
}
