import Foundation
import NIOCore
import NIOHTTP1

/// The first handler of a connection: answers requests whose heads are known as bytes, and passes all other bytes on to
/// the decoder, which is added when the first of them come.
///
/// A known head is looked for only where a request must begin: the decoder was given nothing yet, or the last byte that
/// it was given ended a request. Anywhere else, the same bytes may be part of a body.
///
/// A connection whose output is closed lingers (RFC 9112 §9.6): what comes is read and discarded until the client has
/// read its response and closes. To stop reading would stop a client that writes its whole request first, and unread
/// bytes would turn the connection's end into a reset, with which the client can lose a response that came early.
final class RequestBytes: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = IOData
    typealias OutboundOut = IOData

    /// The table of known heads; `nil` if every request is to be decoded.
    private let known: KnownHeads?
    /// The decoder's successor, while it is in the pipeline.
    private var path: FastPath?
    /// The context to which responses that are bytes already are written; `nil` outside of a pipeline.
    private(set) var context: ChannelHandlerContext?
    private var hasDecoder = false
    private var isDiscarding = false
    /// Whether the output is closed, or about to be.
    private(set) var isLingering = false
    private var lingeredBytes = 0
    private var lingerCheck: Scheduled<Void>?
    /// Whether the next byte is the first of a request. Not tracked without a table of heads.
    private(set) var isAtStart = true
    /// The result of decoding the bytes that were passed on last.
    private var decoded = Decoded()
    private var isInTurn = false
    private var hasPassed = false
    private var needsFlush = false
    private let answers: AnswerBuffer
    private let budget: UnsentBudget
    /// The connection's account; `nil` until more than a little is unsent.
    private var unsent: UnsentBytes?
    private var isReadHeld = false

    private struct Decoded {
        var heads = 0
        var hasEnded = false
        /// The request that the fast path answered, if its head may be remembered.
        var answered: (request: FastRequest, forwardedFor: [String])?
    }

    init(known: KnownHeads? = nil, unsent budget: UnsentBudget) {
        self.known = known
        self.budget = budget
        answers = known?.answers ?? AnswerBuffer()
    }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }

    func handlerRemoved(context: ChannelHandlerContext) {
        lingerCheck?.cancel()
        (lingerCheck, self.context) = (nil, nil)
    }

    func attach(_ path: FastPath?) { self.path = path }

    /// Discards all further bytes: the decoder stops at a request that offers an upgrade, and at `CONNECT`, and would
    /// keep everything after it in memory.
    func discardTheRest() { isDiscarding = true }

    /// Changes the size of the reads.
    func triggerUserOutboundEvent(context: ChannelHandlerContext, event: Any, promise: EventLoopPromise<Void>?) {
        guard let size = event as? ReadSize else {
            return context.triggerUserOutboundEvent(event, promise: promise)
        }
        // A channel without this option reads as it did.
        try? context.channel.limitReads(to: size)
        promise?.succeed()
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isDiscarding else { return discard(unwrapInboundIn(data), context) }
        isInTurn = true
        let bytes = unwrapInboundIn(data)
        if isAtStart, let request = known?[bytes], let path, path.answer(request) { return }
        hasPassed = true
        guard addDecoder(context) else { return }
        if known != nil, bytes.endsLikeHead, path?.isReading == false {
            decode(bytes, context)
        } else {
            isAtStart = false
            context.fireChannelRead(data)
        }
    }

    /// Passes the last byte to the decoder separately. If it ends a request, the decoder holds nothing, whatever it
    /// made of the bytes before.
    private func decode(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        let isWhole = isAtStart
        var (first, last) = (bytes, bytes)
        first.moveWriterIndex(to: bytes.writerIndex - 1)
        last.moveReaderIndex(to: bytes.writerIndex - 1)
        (decoded, isAtStart) = (Decoded(), false)
        context.fireChannelRead(wrapInboundOut(first))
        decoded.hasEnded = false
        guard !isDiscarding else { return }
        context.fireChannelRead(wrapInboundOut(last))
        isAtStart = decoded.hasEnded
        guard isWhole, isAtStart, decoded.heads == 1, let answered = decoded.answered else { return }
        known?.learn(bytes, answered.request, from: context.remoteAddress, forwardedFor: answered.forwardedFor)
    }

    /// - Returns: whether there is a decoder now.
    private func addDecoder(_ context: ChannelHandlerContext) -> Bool {
        guard !hasDecoder else { return true }
        guard let path else { return false }
        do {
            // Requests wait for each other in the fast path and in the framework; errors and responses are checked
            // there too.
            try context.pipeline.syncOperations.configureHTTPServerPipeline(
                position: .before(path), withPipeliningAssistance: false, withErrorHandling: false,
                withOutboundHeaderValidation: false, withEncoderConfiguration: .init(),
                withDecoderLimitConfiguration: Limits.decoder)
            hasDecoder = true
        } catch {
            context.close(promise: nil)
        }
        return hasDecoder
    }

    func hasDecodedHead() { decoded.heads += 1 }

    func hasDecodedEnd() { decoded.hasEnded = true }

    /// Records that the fast path answered the request that is being decoded.
    func hasAnswered(_ request: FastRequest, forwardedFor: [String]) {
        decoded.answered = request.mayBeKnown ? (request, forwardedFor) : nil
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isInTurn = false
        flush()
        // The framework asks for no more than it has room for.
        if isLingering { context.read() }
        guard hasPassed else { return }
        hasPassed = false
        context.fireChannelReadComplete()
    }

    /// Reads nothing more from a client that does not read: the responses to it would fill the memory.
    func read(context: ChannelHandlerContext) {
        if context.channel.isWritable || isLingering { context.read() } else { isReadHeld = true }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        let isWritable = context.channel.isWritable
        count(isWritable ? 0 : (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0, context)
        if isWritable, isReadHeld {
            isReadHeld = false
            context.read()
        }
        context.fireChannelWritabilityChanged()
    }

    private func count(_ bytes: Int, _ context: ChannelHandlerContext) {
        // A file takes no memory.
        guard bytes > 0, path?.isSendingFile != true else {
            unsent?.count(0)
            return
        }
        let unsent = unsent ?? budget.connection(context.channel)
        unsent.count(bytes)
        self.unsent = unsent
    }

    // MARK: Lingering

    /// Closes the connection, or lingers if only the output is closed.
    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        guard mode == .output, !isLingering else { return context.close(mode: mode, promise: promise) }
        (isDiscarding, isLingering) = (true, true)
        let closed = promise ?? context.eventLoop.makePromise()
        // A client that reads slowly has all of its response before.
        closed.futureResult.assumeIsolated().whenSuccess {
            self.linger(until: context.eventLoop.now + Limits.maximumLingerTime)
        }
        context.close(mode: .output, promise: closed)
        context.read()
    }

    /// Closes the connection when the client has sent nothing for a while, or at the end.
    private func linger(until end: NIODeadline) {
        let before = lingeredBytes
        lingerCheck = context?.eventLoop.assumeIsolated().scheduleTask(in: Limits.lingerTime) {
            guard let context = self.context else { return }
            let isOver = self.lingeredBytes == before || context.eventLoop.now >= end
            if isOver { context.close(promise: nil) } else { self.linger(until: end) }
        }
    }

    private func discard(_ bytes: ByteBuffer, _ context: ChannelHandlerContext) {
        isAtStart = false
        guard isLingering else { return }
        lingeredBytes += bytes.readableBytes
        if lingeredBytes > Limits.maximumLingerBytes { context.close(promise: nil) }
    }

    // MARK: Responses

    /// Writes a response, which goes to the socket when everything that was read has been processed, or as soon as the
    /// channel's buffer is full.
    func write(_ answer: FastAnswer, promise: EventLoopPromise<Void>?) {
        guard let context else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        let bytes = NIOAny(IOData.byteBuffer(answers.bytes(of: answer)))
        switch answer.separateBody {
        case nil: context.write(bytes, promise: promise)
        case let body?:
            context.write(bytes, promise: nil)
            context.write(NIOAny(body), promise: promise)
        }
        needsFlush = true
        if !isInTurn || !context.channel.isWritable { flush() }
    }

    /// Sends what was written.
    func flush() {
        guard needsFlush else { return }
        needsFlush = false
        context?.flush()
    }
}

extension ByteBuffer {
    /// Whether the last bytes are an empty line, as in every request without a body.
    fileprivate var endsLikeHead: Bool {
        let end = "\r\n\r\n".utf8
        return readableBytesView.suffix(end.count).elementsEqual(end)
    }
}

/// Joins the parts of responses in a buffer whose storage is reused: the socket has usually accepted one response
/// before the next is made. To be used on one event loop only.
final class AnswerBuffer {
    private var buffer = ByteBuffer()

    /// The response's head, with its body unless that is separate.
    func bytes(of answer: FastAnswer) -> ByteBuffer {
        buffer.clear(minimumCapacity: answer.joinedBytes)
        answer.head.write(to: &buffer, answer.id, at: .now)
        if let body = answer.joinedBody { buffer.writeImmutableBuffer(body) }
        return buffer
    }
}
