import NIOCore

/// The state of a connection between its requests and responses, and its deadline.
struct ConnectionState {
    /// The number of requests that the routes have not answered.
    private(set) var owed = 0
    /// The number of responses of the fast path that the socket has not accepted yet.
    private(set) var unsent = 0

    private let limits: ConnectionLimits
    /// The time of the last part of a request, or of the last response.
    private var lastEvent: NIODeadline
    /// The time of the first bytes of a head that is not complete; otherwise `nil`.
    private var headSince: NIODeadline?
    /// Whether nothing more is read: what comes is not the beginning of a head.
    private var isLast = false
    /// Whether a request's head was passed to the routes, and its end has not arrived.
    private(set) var isReading = false
    private var answerBy: NIODeadline
    private var sendBy: NIODeadline
    /// The last response that was written without a promise, of which it is not known whether the socket accepted it:
    /// its bytes and its time.
    private var written: (bytes: Int, at: NIODeadline)?

    init(_ limits: ConnectionLimits, at time: NIODeadline) {
        self.limits = limits
        lastEvent = time
        answerBy = time
        sendBy = time
    }

    /// Whether no request is being read, and none is owed a response.
    var isIdle: Bool { owed == 0 && unsent == 0 && !isReading && !isLast }

    /// Whether the last request has its response, and its end has not arrived.
    var isAnsweredEarly: Bool { isReading && owed == 0 }

    // MARK: Events

    /// - Returns: whether these are the first bytes of a head.
    mutating func readPartOfHead(at time: NIODeadline) -> Bool {
        guard !isReading, !isLast, headSince == nil else { return false }
        headSince = time
        return true
    }

    /// Records the head of a request that the routes answer.
    mutating func passHead(at time: NIODeadline) {
        if owed == 0 { answerBy = time + limits.total }
        owed += 1
        (isReading, headSince, lastEvent) = (true, nil, time)
    }

    /// Records that no further request is read.
    mutating func readLast() { (isLast, headSince) = (true, nil) }

    mutating func readBody(at time: NIODeadline) { lastEvent = time }

    mutating func readEnd(at time: NIODeadline) { (isReading, lastEvent) = (false, time) }

    /// Records that a response of the routes begins, which may take the time of its bytes at the minimum rate. If the
    /// client reads none of it, its end is never reported.
    mutating func answerHead(_ bytes: Int, at time: NIODeadline) {
        answerBy = time + limits.downloadTime + .seconds(Int64(bytes / limits.slowestDownload))
    }

    mutating func answerEnd(at time: NIODeadline) {
        // Bytes that are not HTTP are answered too.
        owed = max(0, owed - 1)
        (lastEvent, answerBy) = (time, time + limits.total)
    }

    /// Records that a response of the fast path begins, which may take the time of its bytes at the minimum rate.
    mutating func send(_ bytes: Int, at time: NIODeadline) {
        if unsent == 0 { sendBy = time + limits.downloadTime }
        sendBy = sendBy + .seconds(Int64(bytes / limits.slowestDownload))
        unsent += 1
        headSince = nil
    }

    mutating func sent(at time: NIODeadline) {
        unsent -= 1
        if unsent == 0 { written = nil }
        lastEvent = time
    }

    /// Records that a response of the fast path was written without a promise that tells when the socket accepts it.
    mutating func write(_ bytes: Int, at time: NIODeadline) {
        written = (bytes, time)
        (lastEvent, headSince) = (time, nil)
    }

    /// Whether responses were written that the socket may not have accepted yet.
    var hasUncheckedWrites: Bool { written != nil }

    /// Records whether the socket accepted all that was written. If not, it counts as unsent.
    mutating func recordWritten(isSent: Bool) {
        guard let written else { return }
        self.written = nil
        if !isSent { send(written.bytes, at: written.at) }
    }

    // MARK: Deadlines

    func isOverdue(at time: NIODeadline) -> Bool { deadline <= time }

    /// The time of the next check, since a deadline may move closer meanwhile.
    func nextLook(at time: NIODeadline) -> NIODeadline { min(deadline, time + limits.idle) }

    private var deadline: NIODeadline {
        if unsent > 0 { return sendBy }
        let readBy = min(lastEvent + limits.idle, headSince.map { $0 + limits.header } ?? .distantFuture)
        if owed == 0 { return readBy }
        return isReading ? min(readBy, answerBy) : answerBy
    }
}
