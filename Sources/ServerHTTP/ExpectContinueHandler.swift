import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers `Expect: 100-continue` (RFC 9110 §10.1.1), without which curl waits a second before it sends a body.
///
/// The interim response to a pipelined request is written after the responses to those before it (RFC 9112 §9.3.2), and
/// not at all to a client that sends the body without waiting.
final class ExpectContinueHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// The number of requests whose response is not written to its end.
    private var owed = 0
    /// Whether the last request waits for the interim response.
    private var isWaiting = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            owed += 1
            isWaiting = head.headerFields[.expect]?.lowercased() == "100-continue"
            answerIfFirst(context)
        case .body, .end: isWaiting = false
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(data, promise: promise)
        guard case .end = unwrapOutboundIn(data) else { return }
        // The framework also answers bytes that are no request.
        owed = max(0, owed - 1)
        answerIfFirst(context)
    }

    private func answerIfFirst(_ context: ChannelHandlerContext) {
        guard isWaiting, owed == 1 else { return }
        isWaiting = false
        context.writeAndFlush(wrapOutboundOut(.head(.init(status: .continue))), promise: nil)
    }
}
