import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with `URLSession`, without its cache, its cookies and its credentials.
///
/// Redirects are followed if the request says so and has no `Authorization`: on Linux, `URLSession` would send that to
/// the other host as well.
///
/// `@unchecked Sendable`: `isOpen`, `isOffline` and `isSuspended` are read and written with `lock` held alone.
final class HTTPTransport: @unchecked Sendable {
    private let timeouts: HTTPTimeouts
    private let exchanges = Exchanges()
    private let session: URLSession
    private let lock = NSLock()
    private var isOpen = true
    private var isOffline = false
    private var isSuspended = false

    init(timeouts: HTTPTimeouts = HTTPTimeouts()) {
        self.timeouts = timeouts
        let configuration = URLSessionConfiguration.ephemeral
        configuration.storeNothing()
        configuration.httpMaximumConnectionsPerHost = 6
        session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
    }

    deinit { session.invalidateAndCancel() }

    /// Cancels what is running, and makes every later request fail.
    func close() {
        lock.withLock {
            isOpen = false
            session.invalidateAndCancel()
        }
    }

    /// Makes every later request fail as if there were no connection, until this is called with `false`.
    func setOffline(_ isOffline: Bool) { lock.withLock { self.isOffline = isOffline } }

    /// The same, while the app is in the background.
    func setSuspended(_ isSuspended: Bool) { lock.withLock { self.isSuspended = isSuspended } }

    /// - Throws: `CancellationError` when it was closed: `URLSession` would trap. ``ConnectionError/notConnected``
    ///   while it is offline or suspended.
    private func task(for request: HTTPRequest) throws -> URLSessionDataTask {
        try lock.withLock {
            try checkIsUsable()
            return session.dataTask(with: URLRequest(request, idleTimeout: timeouts.idle))
        }
    }

    /// For another transport, which begins nothing when this one would not.
    ///
    /// - Throws: `CancellationError` when it was closed, ``ConnectionError/notConnected`` while it is offline or
    ///   suspended.
    func checkIsOnline() throws { try lock.withLock { try checkIsUsable() } }

    /// Called with the lock held.
    private func checkIsUsable() throws {
        guard isOpen else { throw CancellationError() }
        guard !isOffline, !isSuspended else { throw ConnectionError.notConnected }
    }

    /// Sends a request and reads its whole answer.
    ///
    /// - Throws: ``ConnectionError``, or `CancellationError`.
    func send(_ request: HTTPRequest, maximumBytes: Int = HTTPLimits.answerBytes) async throws -> HTTPResponse {
        let body = BodyBuffer(maximumBytes: maximumBytes)
        let head = try await receive(request, into: body)
        return HTTPResponse(head: head, body: body.content)
    }

    /// Sends a request and hands its answer to a sink as it arrives.
    ///
    /// - Returns: the head, when the whole body was handed over.
    /// - Throws: ``ConnectionError``, `CancellationError`, or what the sink throws, after which it gets nothing more.
    func receive(_ request: HTTPRequest, into sink: any ResponseSink) async throws -> HTTPHead {
        try await withThrowingTaskGroup(of: HTTPHead.self) { group in
            group.addTask { try await self.exchange(request, sink) }
            group.addTask {
                try await Task.sleep(for: request.deadline ?? self.timeouts.exchange)
                throw ConnectionError.timedOut
            }
            defer { group.cancelAll() }
            guard let head = try await group.next() else { throw ConnectionError.unreachable }
            return head
        }
    }

    private func exchange(_ request: HTTPRequest, _ sink: any ResponseSink) async throws -> HTTPHead {
        let task = try task(for: request)
        return try await withTaskCancellationHandler {
            try Task.checkCancellation()
            return try await withCheckedThrowingContinuation { continuation in
                exchanges.begin(task, for: request, sink: sink, continuation: continuation)
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
    }
}

extension URLSessionConfiguration {
    /// Switches off the cache, the cookies and the credentials.
    func storeNothing() {
        urlCache = nil
        httpCookieStorage = nil
        httpShouldSetCookies = false
        urlCredentialStorage = nil
    }
}

extension URLRequest {
    init(_ url: URL, headers: [String: String], networks: AllowedNetworks) {
        self.init(url: url)
        for (name, value) in headers { setValue(value, forHTTPHeaderField: name) }
        #if !canImport(FoundationNetworking)
            allowsExpensiveNetworkAccess = networks.allowsExpensive
            allowsConstrainedNetworkAccess = networks.allowsConstrained
        #endif
    }

    fileprivate init(_ request: HTTPRequest, idleTimeout: Duration) {
        self.init(request.url, headers: request.headers, networks: request.networks)
        httpMethod = request.method.rawValue
        httpBody = request.body
        timeoutInterval = TimeInterval(idleTimeout.components.seconds)
        #if canImport(FoundationNetworking)
            // libcurl sends a request again if the reused connection breaks, and the way Foundation uses it, it then
            // waits for a body that does not come, until the idle timeout.
            setValue("close", forHTTPHeaderField: "Connection")
        #endif
    }
}

/// A body in memory, up to a limit.
///
/// `@unchecked Sendable`: the exchange alone writes `bytes`, one call after the other, and it has ended when they are
/// read.
final class BodyBuffer: ResponseSink, @unchecked Sendable {
    private let maximumBytes: Int
    private var bytes = Data()

    init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    var content: Data { bytes }

    func begin(_ head: HTTPHead) {}

    func append(_ more: Data) throws {
        guard more.count <= maximumBytes - bytes.count else { throw ConnectionError.tooLarge }
        bytes.append(more)
    }
}

/// The status and the header fields of an answer.
struct HTTPHead: Sendable {
    let status: Int
    /// The fields by their names in lower case.
    let headers: [String: String]

    subscript(_ name: String) -> String? { headers[name.lowercased()] }
}

/// How long the client waits for an answer, and how much of one it reads.
enum HTTPLimits {
    /// A server that sends nothing for this long is treated as unreachable.
    static let idleTimeout = Duration.seconds(20)
    /// The deadline of an exchange with the API. The server asks the App Store for 8 seconds at most.
    static let deadline = Duration.seconds(60)
    /// The maximum size of an answer of the API, in bytes. The longest are product lists and manifests with links.
    static let answerBytes = 16 << 20
    /// The maximum number of redirects of one request; an object store needs one.
    static let redirections = 3
}

/// A whole answer.
struct HTTPResponse: Sendable {
    let head: HTTPHead
    let body: Data

    var status: Int { head.status }
    var isSuccess: Bool { (200..<300).contains(head.status) }

    subscript(_ name: String) -> String? { head[name] }

    /// The time for which the server answered, if it said so.
    var statedTime: Date? { self["Quartermaster-At"].flatMap(WireTime.init)?.date }

    /// The server's time when it answered, if it or a proxy said so.
    var serverTime: Date? {
        if let statedTime { return statedTime }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        // RFC 9110 §5.6.7.
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
        return self["Date"].flatMap(formatter.date)
    }
}

/// How long a transport waits for the answer to a request that does not say so itself.
struct HTTPTimeouts: Sendable {
    /// How long the server may send nothing.
    var idle = HTTPLimits.idleTimeout
    /// How long the whole exchange may take.
    var exchange = HTTPLimits.deadline
}

/// A receiver of an answer as it arrives. It is called by one exchange, by one thread at a time.
protocol ResponseSink: AnyObject, Sendable {
    /// Receives the head. An error thrown here ends the exchange.
    func begin(_ head: HTTPHead) throws
    /// Receives the next bytes of the body. An error thrown here ends the exchange.
    func append(_ bytes: Data) throws
}
