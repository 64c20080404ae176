import NIOCore

/// Where a connection stands between its requests and its answers, and until when something has to happen.
struct ConnectionState {
    /// Requests that the routes have to answer.
    private(set) var owed = 0
    /// Answers of the fast path that the socket has not taken yet.
    private(set) var unsent = 0

    private let limits: ConnectionLimits
    /// The last part of a request, or the last answer.
    private var lastEvent: NIODeadline
    /// When the first bytes of a head came whose end is not there.
    private var headSince: NIODeadline?
    /// Whether a request's head was passed to the routes, and its end is not there.
    private(set) var isReading = false
    private var answerBy: NIODeadline
    private var sendBy: NIODeadline

    init(_ limits: ConnectionLimits, at time: NIODeadline) {
        self.limits = limits
        lastEvent = time
        answerBy = time
        sendBy = time
    }

    // MARK: What happens

    /// - Returns: whether these are the first bytes of a head.
    mutating func readPartOfHead(at time: NIODeadline) -> Bool {
        guard !isReading, headSince == nil else { return false }
        headSince = time
        return true
    }

    /// The head of a request that the routes answer.
    mutating func passHead(at time: NIODeadline) {
        if owed == 0 { answerBy = time + limits.total }
        owed += 1
        (isReading, headSince, lastEvent) = (true, nil, time)
    }

    mutating func readBody(at time: NIODeadline) { lastEvent = time }

    mutating func readEnd(at time: NIODeadline) { (isReading, lastEvent) = (false, time) }

    /// An answer of the routes begins: its time is that of its bytes at the slowest allowed. The client may take nothing
    /// of it, and then nobody hears of its end.
    mutating func answerHead(_ bytes: Int, at time: NIODeadline) {
        answerBy = time + limits.downloadTime + .seconds(Int64(bytes / limits.slowestDownload))
    }

    mutating func answerEnd(at time: NIODeadline) {
        // Bytes that are no HTTP are answered too.
        owed = max(0, owed - 1)
        (lastEvent, answerBy) = (time, time + limits.total)
    }

    /// An answer of the fast path begins: its time is that of its bytes at the slowest allowed.
    mutating func send(_ bytes: Int, at time: NIODeadline) {
        if unsent == 0 { sendBy = time + limits.downloadTime }
        sendBy = sendBy + .seconds(Int64(bytes / limits.slowestDownload))
        unsent += 1
        headSince = nil
    }

    mutating func sent(at time: NIODeadline) {
        unsent -= 1
        lastEvent = time
    }

    // MARK: How long it may take

    func isOverdue(at time: NIODeadline) -> Bool { deadline <= time }

    /// When to look again; a deadline may have come nearer by then.
    func nextLook(at time: NIODeadline) -> NIODeadline { min(deadline, time + limits.idle) }

    private var deadline: NIODeadline {
        if unsent > 0 { return sendBy }
        let readBy = min(lastEvent + limits.idle, headSince.map { $0 + limits.header } ?? .distantFuture)
        if owed == 0 { return readBy }
        return isReading ? min(readBy, answerBy) : answerBy
    }
}
