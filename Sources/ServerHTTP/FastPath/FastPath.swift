import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The fast path: answers plain requests on the event loop, below the framework, and passes all others through to it.
/// ``RequestBytes`` before the decoder finds those whose heads are known, and has them answered here, too.
///
/// Responses keep the order of their requests: nothing is answered here while the routes still owe a response, and what
/// they answer is written after what was written here. If the client does not read what is sent, the routes answer the
/// next request: they read no further than they can write. So no client has more than one file open here, or more in
/// memory than the channel buffers and one response.
///
/// It also closes a connection that exceeds its ``ConnectionLimits``.
final class FastPath: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// The responder of the fast path; `nil` leaves all requests to the routes.
    private let responder: (any FastResponding)?
    private let refusals: HeadRefusals
    /// Adds the handlers of the routes after this one; `nil` when they were added.
    private var addRoutes: (() throws -> Void)?
    private let input: RequestBytes
    private var state: ConnectionState
    private var timer: Scheduled<Void>?
    /// The next check of the file that is being sent: there is no other one until it is sent.
    private var fileWatch: Scheduled<Void>?
    private var context: ChannelHandlerContext?
    /// Whether the rest of a request that was answered here is being discarded.
    private var isDiscarding = false
    /// Whether the connection closes after the responses that are owed: nothing more is read.
    private var isClosing = false {
        didSet {
            guard isClosing else { return }
            input.discardTheRest()
            state.readLast()
        }
    }
    /// Whether the routes answer a request after which the connection ends: what follows it is not read.
    private var isLastRequest = false
    private var heldEvent: ChannelShouldQuiesceEvent?
    private var heldClose: (mode: CloseMode, promise: EventLoopPromise<Void>?)?
    private var hasReadPart = false
    /// The last response, if something came that is not HTTP: the connection ends after the responses that are owed and
    /// this one.
    private var lastAnswer: LastAnswer?
    private var hasError = false

    private enum LastAnswer {
        case owed
        case refusal(RequestHeadError, HTTPMethod?)
    }

    /// - Parameter addRoutes: adds the framework's handlers, when the first request needs them: creating them costs
    ///   more than answering a request here.
    init(
        _ responder: (any FastResponding)?, _ refusals: HeadRefusals, _ limits: ConnectionLimits,
        behind input: RequestBytes,
        at time: NIODeadline, addingRoutes addRoutes: @escaping () throws -> Void
    ) {
        self.responder = responder
        self.refusals = refusals
        self.addRoutes = addRoutes
        self.input = input
        state = ConnectionState(limits, at: time)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        input.attach(self)
        watch(context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        fileWatch?.cancel()
        (timer, fileWatch, self.context) = (nil, nil, nil)
        input.attach(nil)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        hasReadPart = true
        let part = unwrapInboundIn(data)
        report(part)
        guard !isClosing else { return }
        if isDiscarding {
            if case .end = part { isDiscarding = false }
            return
        }
        let now = context.eventLoop.now
        switch part {
        case .head(let head): return read(head, now, context)
        case .body: state.readBody(at: now)
        case .end:
            state.readEnd(at: now)
            isClosing = isLastRequest
        }
        context.fireChannelRead(data)
    }

    private func report(_ part: HTTPServerRequestPart) {
        switch part {
        case .head: input.hasDecodedHead()
        case .body: break
        case .end: input.hasDecodedEnd()
        }
    }

    /// Whether the next bytes are of a request that began already.
    var isReading: Bool { isDiscarding || state.isReading }

    private func read(_ head: HTTPRequestHead, _ now: NIODeadline, _ context: ChannelHandlerContext) {
        if let error = RequestHeadError(head) { return end(with: .refusal(error, head.method), context) }
        if let (answer, closes) = answer(to: head) {
            isDiscarding = true
            return send(answer, closes: closes, now, context)
        }
        checkWritten(context)
        openRoutes(context)
        state.passHead(at: now)
        var head = head
        // The framework compares the field with this value alone. It would keep every HTTP/1.0 connection open. An
        // upgrade is ignored (RFC 9110 §7.8), but the decoder parses nothing after its offer.
        if !head.isKeepAlive || head.isOld || head.headers.contains(name: "upgrade") {
            head.headers.replaceOrAdd(name: "connection", value: "close")
            isLastRequest = true
        }
        // Clients of HTTP/1.0 know no interim responses (RFC 9110 §10.1.1).
        if head.isOld { head.headers.remove(name: "expect") }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if !hasReadPart, state.readPartOfHead(at: context.eventLoop.now) {
            timer?.cancel()
            watch(context)
        }
        hasReadPart = false
        context.fireChannelReadComplete()
    }

    private func answer(to head: HTTPRequestHead) -> (FastAnswer, closes: Bool)? {
        guard let responder, isFree, responder.knows(head.uri), let request = FastRequest(head),
            let answer = responder.answer(request)
        else { return nil }
        input.hasAnswered(request, forwardedFor: head.headers["x-forwarded-for"])
        return (answer, request.closes)
    }

    /// Answers a request whose head is known, as when the decoder finds it.
    ///
    /// - Returns: `false` if the bytes are to be passed on to the decoder.
    func answer(_ request: KnownRequest) -> Bool {
        guard let context, isFree, !isDiscarding, !isLastRequest, let answer = responder?.answer(request) else {
            return false
        }
        send(answer, closes: false, context.eventLoop.now, context)
        return true
    }

    /// Whether a response may be sent from here now. What the socket has not accepted yet waits in memory, as much as
    /// the channel allows.
    private var isFree: Bool {
        guard let output = input.context else { return false }
        return state.isIdle && heldClose == nil && heldEvent == nil && !isClosing && output.channel.isWritable
    }

    /// Whether a part of a file is being sent.
    var isSendingFile: Bool { fileWatch != nil }

    private func openRoutes(_ context: ChannelHandlerContext) {
        guard let addRoutes else { return }
        self.addRoutes = nil
        do { try addRoutes() } catch { context.close(promise: nil) }
        // The routes write no more than the client reads, and would not learn that it reads nothing now.
        context.fireChannelWritabilityChanged()
    }

    /// Answers bytes that are not HTTP once, and reads nothing after them. If they are part of a body, that is the
    /// response to its request, whose route gets the error.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError else { return context.fireErrorCaught(error) }
        // A client that disconnects in the middle of a head cannot be answered.
        guard !isClosing, state.isReading || !isLastRequest && context.channel.isActive else { return }
        if state.isReading { context.fireErrorCaught(error) }
        end(with: state.isReading ? .owed : .refusal(.syntax, nil), context)
    }

    // MARK: The last response

    private func end(with answer: LastAnswer, _ context: ChannelHandlerContext) {
        (isClosing, hasError, lastAnswer) = (true, true, answer)
        if state.owed == 0 { endAfterOwed(context) }
    }

    /// Sends the last response; called when every earlier request has its response.
    private func endAfterOwed(_ context: ChannelHandlerContext) {
        guard let answer = lastAnswer else { return }
        lastAnswer = nil
        switch answer {
        case .owed: close(context: context, mode: .output, promise: nil)
        case .refusal(let error, let method):
            send(refusal(of: method, error), closes: true, context.eventLoop.now, context)
        }
    }

    private func refusal(of method: HTTPMethod?, _ error: RequestHeadError) -> FastAnswer {
        let answer = refusals.answer(to: error, method.flatMap { try? HTTPRequest.Method($0) })
        let head = AnswerHead(
            HeadRefusals.status, AnswerHead.lines(answer.fields), length: answer.body.readableBytes, closes: true)
        return FastAnswer(head: head, id: answer.id, body: method == .HEAD ? .none : .bytes(answer.body))
    }

    // MARK: Responses

    private func send(_ answer: FastAnswer, closes: Bool, _ now: NIODeadline, _ context: ChannelHandlerContext) {
        guard closes || answer.file != nil else {
            state.write(answer.bodyBytes, at: now)
            return input.write(answer, promise: nil)
        }
        isClosing = isClosing || closes
        // Closed when everything is sent, so that the client sees an end, and not a reset if it sends more.
        if closes { heldClose = (.output, nil) }
        state.send(answer.bodyBytes, at: now)
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in
            if case .file(let region, let file) = answer.body {
                region.close()
                self.fileWatch?.cancel()
                self.fileWatch = nil
                // It may have changed since the last check.
                if !file.isUnchanged { context.close(promise: nil) }
            }
            self.hasSent(context)
        }
        if let file = answer.file { watch(file, context) }
        input.write(answer, promise: sent)
        if answer.file != nil { input.flush() }
    }

    /// Checks whether the socket has accepted what was written without a promise; if not, a promise tells later.
    private func checkWritten(_ context: ChannelHandlerContext) {
        guard state.hasUncheckedWrites, let output = input.context else { return }
        input.flush()
        let bytes = try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)
        state.recordWritten(isSent: bytes == 0)
        guard bytes != 0 else { return }
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in self.hasSent(context) }
        output.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer())), promise: sent)
    }

    /// Closes the connection if the file changes before it is sent. The last check is when all of it is sent. At the
    /// unexpected end of a file `sendfile` sends nothing, and NIO would call it again and again.
    private func watch(_ file: any SentFile, _ context: ChannelHandlerContext) {
        fileWatch = context.eventLoop.assumeIsolated().scheduleTask(in: Limits.fileCheckInterval) {
            if file.isUnchanged { self.watch(file, context) } else { context.close(promise: nil) }
        }
    }

    private func hasSent(_ context: ChannelHandlerContext) {
        state.sent(at: context.eventLoop.now)
        guard state.unsent == 0 else { return }
        if let event = heldEvent {
            heldEvent = nil
            pass(event, context)
        }
        guard let close = heldClose else { return }
        heldClose = nil
        guard let output = input.context else { return context.close(mode: close.mode, promise: close.promise) }
        // A client that asked for the connection's end, and sent nothing more, need not be waited for.
        let mode = close.mode == .output && !hasError && input.isAtStart ? .all : close.mode
        // After what the routes have written meanwhile.
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { _ in context.close(mode: mode, promise: close.promise) }
        output.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer())), promise: sent)
    }

    /// Passes a response of the routes to the encoder.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // The framework answers bytes that are not HTTP even if their request has its response.
        guard !hasError || state.owed > 0 else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        // An interim response (1xx) asks for the body, which has its own time.
        case .head(let head) where head.status.code < 200: break
        case .head(let head):
            state.answerHead(
                head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0, at: context.eventLoop.now)
        case .body: break
        case .end:
            state.answerEnd(at: context.eventLoop.now)
            guard lastAnswer != nil, state.owed == 0 else { break }
            let sent = promise ?? context.eventLoop.makePromise()
            sent.futureResult.assumeIsolated().whenComplete { _ in self.endAfterOwed(context) }
            return context.writeAndFlush(data, promise: sent)
        }
        context.write(data, promise: promise)
    }

    // MARK: Closing

    /// Delays the framework's events while a response is being sent here, which the framework does not know of: it
    /// would close at once when the server stops.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        checkWritten(context)
        if let event = event as? ChannelShouldQuiesceEvent, state.unsent > 0 {
            heldEvent = event
        } else {
            pass(event, context)
        }
    }

    /// Passes an event on. If the routes are not open, nothing after this handler would close the connection, so it is
    /// closed here.
    private func pass(_ event: Any, _ context: ChannelHandlerContext) {
        let isEnd = event is ChannelShouldQuiesceEvent || event as? ChannelEvent == .inputClosed
        if isEnd, addRoutes != nil { close(context: context, mode: .all, promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        checkWritten(context)
        let mode = mode == .all && isAnsweredEarly && !input.isLingering ? .output : mode
        isClosing = isClosing || mode == .output
        guard state.unsent > 0, mode != .input else { return context.close(mode: mode, promise: promise) }
        guard let held = heldClose else {
            heldClose = (mode, promise)
            return
        }
        if let promise { held.promise?.futureResult.cascade(to: promise) }
        heldClose = (mode == .all ? .all : held.mode, held.promise ?? promise)
    }

    /// Whether a request has its response, and its end has not arrived: the client may read only when it has sent
    /// everything, and a close would lose it the response.
    private var isAnsweredEarly: Bool { isReading && state.owed == 0 }

    private func watch(_ context: ChannelHandlerContext) {
        timer = context.eventLoop.assumeIsolated().scheduleTask(deadline: state.nextLook(at: context.eventLoop.now)) {
            self.checkWritten(context)
            if self.state.isOverdue(at: context.eventLoop.now) {
                context.close(promise: nil)
            } else {
                self.watch(context)
            }
        }
    }
}
