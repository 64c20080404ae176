import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Answers an HTTP/2 stream whose request is refused for its head alone, and does not pass it to the routes.
final class StreamHeadCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let refusals: HeadRefusals
    private var isRefused = false

    init(_ refusals: HeadRefusals) { self.refusals = refusals }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), let mistake = RequestHeadError(head) {
            isRefused = true
            return refuse(head, mistake, context)
        }
        if !isRefused { context.fireChannelRead(data) }
    }

    private func refuse(_ request: HTTPRequest, _ mistake: RequestHeadError, _ context: ChannelHandlerContext) {
        let answer = refusals.answer(to: mistake, request.method)
        var head = HTTPResponse(status: HeadRefusals.status, headerFields: answer.fields)
        head.headerFields[.contentLength] = String(answer.body.readableBytes)
        head.headerFields[.requestID] = "\(answer.id)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .head { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
