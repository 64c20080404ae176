import AsyncHTTPClient
import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import Synchronization
import TestSupport

/// Stands between a client and the server, and treats answers as networks and attackers do.
final class DownloadProxy: Sendable {
    /// A request that has arrived whole.
    struct Request: Sendable {
        var method: HTTPMethod
        var uri: String
        var headers: HTTPHeaders
        var body: Data

        var path: String { String(uri.prefix { $0 != "?" }) }
        var isContent: Bool { path.hasPrefix("/v1/content/") }
        var isManifest: Bool { method == .GET && path.hasPrefix("/v1/bundles/") }
        /// A request for content.
        var sha256: String { String(path.dropFirst("/v1/content/".count)) }
        /// The first byte of the requested range.
        var start: Int {
            headers.first(name: "Range").flatMap { Int($0.dropFirst("bytes=".count).prefix { $0 != "-" }) } ?? 0
        }
    }

    /// An answer, with the bytes of its body that were sent.
    struct Exchange: Sendable {
        var request: Request
        var status: Int
        var bytes: Int
    }

    enum Act: Sendable {
        case forward
        /// This answer, in place of the server's.
        case answer(status: Int, headers: [(String, String)] = [], body: Data = Data())
        /// No answer.
        case drop
        /// This many bytes of the body, then the end of the connection.
        case cut(after: Int)
        /// This many bytes of the body, then nothing, as long as the client waits.
        case stall(after: Int)
        /// One bit of the body is changed.
        case flip(at: Int)
        /// The whole file, whatever range was asked for.
        case whole
        /// This many bytes less, as if they were all.
        case truncate(by: Int)
        /// The bytes after those that were asked for.
        case misplace
    }

    private struct State {
        var decide: @Sendable (Request) -> Act = { _ in .forward }
        var hold: @Sendable (Request) async -> Void = { _ in }
        var exchanges: [Exchange] = []
        /// The number of requests that have arrived and are not dealt with.
        var underway = 0
    }

    private let state = Mutex(State())
    private let channel: any Channel
    private let upstream: URL

    var port: Int { channel.localAddress?.port ?? 0 }
    var url: URL { URL(string: "http://127.0.0.1:\(port)") ?? URL(filePath: "/") }
    /// Since ``decide(_:)`` was called.
    var exchanges: [Exchange] { state.withLock(\.exchanges) }
    var contentExchanges: [Exchange] { exchanges.filter(\.request.isContent) }

    /// - Parameter upstream: the server's address.
    static func start(upstream: URL) async throws -> DownloadProxy {
        let proxy = ProxyBox()
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(ChannelOptions.backlog, value: 256)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.configureHTTPServerPipeline()
                    try channel.pipeline.syncOperations.addHandler(
                        ProxyHandler { request, channel in
                            proxy.value?.begin(request, on: channel)
                        })
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let made = DownloadProxy(channel: channel, upstream: upstream)
        proxy.set(made)
        return made
    }

    private init(channel: any Channel, upstream: URL) {
        self.channel = channel
        self.upstream = upstream
    }

    func stop() async throws { try await channel.close() }

    /// Decides what happens to each request from now on, and drops the records of earlier ones.
    func decide(_ decide: @escaping @Sendable (Request) -> Act) {
        state.withLock { state in
            state.decide = decide
            state.exchanges = []
        }
    }

    /// Has each request wait for something, from now on, before it is decided about.
    func hold(_ hold: @escaping @Sendable (Request) async -> Void) { state.withLock { $0.hold = hold } }

    /// Waits until nothing is on its way: a request stays here when its client has ended, and is recorded later.
    func waitUntilIdle() async throws {
        try await eventually("nothing is on its way") { state.withLock { $0.underway } == 0 }
    }

    private func begin(_ request: Request, on channel: any Channel) {
        state.withLock { $0.underway += 1 }
        Task {
            await serve(request, on: channel)
            state.withLock { $0.underway -= 1 }
        }
    }

    private func serve(_ request: Request, on channel: any Channel) async {
        await state.withLock { $0.hold }(request)
        let act = state.withLock { $0.decide }(request)
        do {
            try await perform(act, request, on: channel)
        } catch {
            try? await channel.close()
        }
    }

    private func perform(_ act: Act, _ request: Request, on channel: any Channel) async throws {
        switch act {
        case .drop:
            record(request, 0, 0)
            try await channel.close()
        case .answer(let status, let headers, let body):
            try await send(Answer(status: status, headers: HTTPHeaders(headers), body: body), of: request, on: channel)
        case .forward: try await send(forward(request), of: request, on: channel)
        case .cut(let count): try await send(forward(request), of: request, on: channel, atMost: count, closes: true)
        case .stall(let count): try await send(forward(request), of: request, on: channel, atMost: count)
        case .flip(let place):
            var answer = try await forward(request)
            if !answer.body.isEmpty { answer.body[place % answer.body.count] ^= 1 }
            try await send(answer, of: request, on: channel)
        case .whole:
            var whole = request
            whole.headers.remove(name: "Range")
            try await send(forward(whole), of: request, on: channel)
        case .truncate(let count):
            var answer = try await forward(request)
            answer.body = answer.body.dropLast(count)
            try await send(answer, of: request, on: channel)
        case .misplace:
            var other = request
            if let range = request.headers.first(name: "Range") {
                let end = range.drop { $0 != "-" }
                other.headers.replaceOrAdd(name: "Range", value: "bytes=\(request.start + 1)\(end)")
            }
            try await send(forward(other), of: request, on: channel)
        }
    }

    private struct Answer: Sendable {
        var status: Int
        var headers: HTTPHeaders
        var body: Data
    }

    private func forward(_ request: Request) async throws -> Answer {
        var forwarded = HTTPClientRequest(url: upstream.absoluteString + request.uri)
        forwarded.method = request.method
        forwarded.headers = request.headers
        for name in ["Host", "Content-Length"] { forwarded.headers.remove(name: name) }
        // The server closes connections that are idle, and one of these may be about to.
        forwarded.headers.replaceOrAdd(name: "Connection", value: "close")
        if !request.body.isEmpty { forwarded.body = .bytes(ByteBuffer(bytes: request.body)) }
        let response = try await HTTPClient.shared.execute(forwarded, timeout: .seconds(180))
        let body = try await response.body.collect(upTo: 64 << 20)
        return Answer(status: Int(response.status.code), headers: response.headers, body: Data(body.readableBytesView))
    }

    private func send(
        _ answer: Answer, of request: Request, on channel: any Channel, atMost count: Int = .max, closes: Bool = false
    ) async throws {
        var headers = answer.headers
        headers.remove(name: "Transfer-Encoding")
        // A client that says so sends no other request, and expects the end.
        let isLast = request.headers.first(name: "Connection")?.lowercased() == "close"
        headers.replaceOrAdd(name: "Connection", value: isLast ? "close" : "keep-alive")
        if answer.status != 304 { headers.replaceOrAdd(name: "Content-Length", value: "\(answer.body.count)") }
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: answer.status), headers: headers)
        let body = answer.body.prefix(count)
        record(request, answer.status, body.count)
        try await channel.writeAndFlush(HTTPServerResponsePart.head(head))
        if !body.isEmpty {
            try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: body))))
        }
        if closes { return try await channel.close() }
        if body.count < answer.body.count { return }
        try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
        if isLast { try await channel.close() }
    }

    private func record(_ request: Request, _ status: Int, _ bytes: Int) {
        state.withLock { $0.exchanges.append(Exchange(request: request, status: status, bytes: bytes)) }
    }
}

/// The proxy of a handler that was made before it.
private final class ProxyBox: Sendable {
    private let content = Mutex<DownloadProxy?>(nil)

    var value: DownloadProxy? { content.withLock { $0 } }

    func set(_ proxy: DownloadProxy) { content.withLock { $0 = proxy } }
}

/// Collects requests and has each served.
private final class ProxyHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let serve: @Sendable (DownloadProxy.Request, any Channel) -> Void
    private var head: HTTPRequestHead?
    private var body = Data()

    init(serve: @escaping @Sendable (DownloadProxy.Request, any Channel) -> Void) { self.serve = serve }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = Data()
        case .body(let buffer): body.append(contentsOf: buffer.readableBytesView)
        case .end:
            guard let head else { return }
            let request = DownloadProxy.Request(method: head.method, uri: head.uri, headers: head.headers, body: body)
            serve(request, context.channel)
        }
    }
}
