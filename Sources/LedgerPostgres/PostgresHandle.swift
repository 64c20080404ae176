import CPostgres
import Foundation
import LedgerSQL

/// Owns libpq's handle of one connection. Sending does not block, and waiting ends at a deadline.
final class PostgresHandle {
    /// The longest wait for the socket, since libpq may hold decrypted bytes that the socket does not report.
    private static let maximumPoll: Duration = .milliseconds(50)

    let raw: OpaquePointer
    private var isBroken = false

    /// - Throws: ``PostgresError`` if the server does not accept the connection in time.
    init(url: String, limits: PostgresLimits) throws {
        // Parameters before the URL are defaults; those after it override it.
        let parameters = [
            ("connect_timeout", "\(limits.connect.wholeMilliseconds / 1_000)"),
            ("tcp_user_timeout", "\(limits.writeStatement.wholeMilliseconds)"),
            ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
            ("fallback_application_name", "quartermaster"), ("dbname", url), ("client_encoding", "UTF8"),
        ]
        let handle = withCStrings(parameters.map(\.0)) { keywords in
            withCStrings(parameters.map(\.1)) { values in PQconnectdbParams(keywords, values, 1) }
        }
        guard let handle else { throw PostgresError(state: nil, message: "no memory for a connection") }
        raw = handle
        guard PQstatus(raw) == CONNECTION_OK else { throw lost() }
        PQsetNoticeProcessor(raw, { _, _ in }, nil)
        // Otherwise both sides could block: a server that waits for its answers to be read does not read.
        guard PQsetnonblocking(raw, 1) == 0 else { throw lost() }
    }

    deinit { PQfinish(raw) }

    var isAlive: Bool { !isBroken && PQstatus(raw) == CONNECTION_OK }
    var isInFailedTransaction: Bool { PQtransactionStatus(raw) == PQTRANS_INERROR }

    /// - Throws: ``PostgresError`` if a function of libpq reports a failure.
    func require(_ isDone: Int32) throws { guard isDone == 1 else { throw lost() } }

    /// The next result; `nil` at the end of the results of one statement.
    func nextResult(until deadline: ContinuousClock.Instant) throws -> PostgresResult? {
        while PQisBusy(raw) == 1 { try wait(until: deadline) }
        return PQgetResult(raw).map(PostgresResult.init)
    }

    /// Reads all results of one statement, or of a script.
    func answer(until deadline: ContinuousClock.Instant) throws -> PostgresResult? {
        var last: PostgresResult?
        var failure: PostgresError?
        while let result = try nextResult(until: deadline) {
            failure = failure ?? result.failure
            last = result
        }
        if let failure { throw failure }
        return last
    }

    /// Discards the remaining results of the batch. If its end does not arrive, the connection is unusable.
    func drain(atMost answers: Int, timeout: Duration) {
        var ended = 0
        while isAlive, ended <= answers {
            guard let result = try? nextResult(until: .now + timeout) else {
                ended += 1
                continue
            }
            if result.status == PGRES_PIPELINE_SYNC { return }
        }
        _ = lost()
    }

    private func wait(until deadline: ContinuousClock.Instant) throws {
        let unsent = PQflush(raw)
        guard unsent >= 0 else { throw lost() }
        let left = deadline - .now
        guard left > .zero else {
            isBroken = true
            throw PostgresError(state: nil, message: "no answer in time", endsConnection: true)
        }
        var socket = pollfd(fd: PQsocket(raw), events: Int16(POLLIN) | (unsent == 0 ? 0 : Int16(POLLOUT)), revents: 0)
        // An interruption looks like a timeout, and both like nothing to read.
        _ = poll(&socket, 1, Int32(clamping: min(left, Self.maximumPoll).wholeMilliseconds + 1))
        try require(PQconsumeInput(raw))
    }

    /// Marks the connection as unusable.
    ///
    /// - Returns: libpq's message: it may name hosts, users and databases, never a password.
    func lost() -> PostgresError {
        isBroken = true
        return PostgresError(state: nil, message: String(cString: PQerrorMessage(raw)).oneLine, endsConnection: true)
    }
}

/// Calls `body` with the strings as C strings, and a null pointer after the last.
private func withCStrings<Result>(_ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
}
