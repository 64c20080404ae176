import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Reads each ``WholeRequest`` of a connection, has it answered, and passes all others on to the framework's handlers,
/// which are added when the first of them comes.
///
/// Responses keep the order of their requests: while one is being answered, nothing more is read from the socket, and
/// what was read already waits here. A request is read whole only if the framework owes no response.
final class WholeRequestHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The maximum number of parts that wait. One read has fewer; more come only with the end of the input, which the
    /// system reports together with everything before it.
    static let maximumWaiting = 4_096

    private enum Waiting {
        case part(HTTPServerRequestPart)
        case error(any Error)
        case event(Any)
    }

    private let limits: ConnectionLimits
    /// Begins to answer a request; ``respond(_:_:)`` ends it.
    private let begin: (WholeRequest) -> Void
    /// Called when no further request will come.
    private let end: () -> Void
    /// Adds the framework's handlers after this one; `nil` when they were added.
    private var addFramework: (() throws -> Void)?
    private var context: ChannelHandlerContext?
    /// The request whose body is not complete.
    private var reading: WholeRequest?
    private var deadline: Scheduled<Void>?
    private var isAnswering = false
    private var waiting = CircularBuffer<Waiting>()
    private var isReadWaiting = false
    /// The number of requests that the framework has not answered.
    private var owedByFramework = 0
    /// The server stops: the connection ends after the request that is being read.
    private var waitingQuiesce: ChannelShouldQuiesceEvent?
    /// Whether the output ends with the response that is being made.
    private var closesOutput = false
    /// Succeeds when the socket has accepted the last response from here.
    private var lastSent: EventLoopFuture<Void>?

    init(
        _ limits: ConnectionLimits, begin: @escaping (WholeRequest) -> Void, end: @escaping () -> Void,
        addingFramework addFramework: @escaping () throws -> Void
    ) {
        self.limits = limits
        self.begin = begin
        self.end = end
        self.addFramework = addFramework
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        deadline?.cancel()
        waiting.removeAll()
        (self.context, reading) = (nil, nil)
        end()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswering else { return wait(.part(unwrapInboundIn(data)), context) }
        read(unwrapInboundIn(data), context)
    }

    private func wait(_ input: Waiting, _ context: ChannelHandlerContext) {
        waiting.append(input)
        if waiting.count > Self.maximumWaiting { context.close(promise: nil) }
    }

    private func read(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        switch part {
        case .head(let head):
            if owedByFramework == 0 { reading = WholeRequest(head, limits) }
            guard reading == nil else { return }
            leaveToFramework(context)
        case .body(let bytes):
            guard reading == nil else {
                reading?.append(bytes)
                return
            }
        case .end:
            if let request = endReading() {
                isAnswering = true
                return begin(request)
            }
        }
        context.fireChannelRead(wrapInboundOut(part))
    }

    private func endReading() -> WholeRequest? {
        deadline?.cancel()
        defer { (reading, deadline) = (nil, nil) }
        return reading
    }

    /// Lets the framework answer the next request: adds its handlers if it is the first, and counts what it owes.
    private func leaveToFramework(_ context: ChannelHandlerContext) {
        owedByFramework += 1
        guard let addFramework else { return }
        self.addFramework = nil
        do { try addFramework() } catch { context.close(promise: nil) }
        // It writes no more than the client reads, and would not learn that it reads nothing now.
        context.fireChannelWritabilityChanged()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if let reading, deadline == nil {
            deadline = context.eventLoop.assumeIsolated().scheduleTask(in: reading.maximumTime) {
                context.close(promise: nil)
            }
        }
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        if isAnswering { isReadWaiting = true } else { context.read() }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard !isAnswering else { return wait(.error(error), context) }
        handOverIncomplete(context)
        context.fireErrorCaught(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        handOverIncomplete(context)
        context.fireChannelInactive()
    }

    /// Lets the framework end a request whose body does not come to its end: it is logged and counted as any other.
    private func handOverIncomplete(_ context: ChannelHandlerContext) {
        guard let request = endReading() else { return }
        leaveToFramework(context)
        context.fireChannelRead(wrapInboundOut(.head(request.head)))
        if request.body.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(.body(request.body))) }
        context.fireChannelReadComplete()
    }

    // MARK: Responses

    /// Sends the response to the request that ``begin`` was called with. Does nothing if the connection is closed.
    func respond(_ response: HTTPResponse, _ body: ByteBuffer) {
        guard let context, isAnswering else { return }
        isAnswering = false
        write(response, body, context)
        if closesOutput { whenSent(context) { context.close(mode: .output, promise: nil) } }
        readWaiting(context)
    }

    private func write(_ response: HTTPResponse, _ body: ByteBuffer, _ context: ChannelHandlerContext) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        lastSent = sent.futureResult
        context.write(wrapOutboundOut(.head(HTTPResponseHead(response))), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: sent)
    }

    /// Calls the closure when the last response has been sent, which a slow client may take its time for.
    private func whenSent(_ context: ChannelHandlerContext, _ body: @escaping () -> Void) {
        guard let lastSent else { return body() }
        lastSent.assumeIsolated().whenComplete { _ in body() }
    }

    private func readWaiting(_ context: ChannelHandlerContext) {
        while !isAnswering, let input = waiting.popFirst() {
            switch input {
            case .part(let part): read(part, context)
            case .error(let error): errorCaught(context: context, error: error)
            case .event(let event): userInboundEventTriggered(context: context, event: event)
            }
        }
        guard !isAnswering else { return }
        if let event = waitingQuiesce, reading == nil {
            waitingQuiesce = nil
            pass(event, context)
        }
        channelReadComplete(context: context)
        guard isReadWaiting else { return }
        isReadWaiting = false
        context.read()
    }

    /// Passes a response of the framework to the fast path.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // It also answers bytes that are not HTTP.
        if case .end = unwrapOutboundIn(data) { owedByFramework = max(0, owedByFramework - 1) }
        context.write(data, promise: promise)
    }

    // MARK: Closing

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        guard !isAnswering else { return wait(.event(event), context) }
        if let event = event as? ChannelShouldQuiesceEvent, reading != nil {
            waitingQuiesce = event
        } else {
            pass(event, context)
        }
    }

    /// Passes an event on. If the framework's handlers were not added, nothing after this one would close the
    /// connection, so it is closed here.
    private func pass(_ event: Any, _ context: ChannelHandlerContext) {
        let isEnd = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
        if isEnd, addFramework != nil { whenSent(context) { context.close(promise: nil) } }
        context.fireUserInboundEventTriggered(event)
    }

    /// Delays the end of the output until the response is written: routes ask for it with a response that is the last.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard isAnswering, mode == .output else { return context.close(mode: mode, promise: promise) }
        closesOutput = true
        promise?.succeed()
    }
}
