import HTTPTypes
package import HummingbirdCore
import HummingbirdHTTP2
import Logging
package import NIOCore
import NIOHTTPTypes
import NIOSSL
import NIOTLS

/// Connections with TLS, with HTTP/2 or HTTP/1.1 as the client chooses (ALPN).
///
/// The routes answer everything here: bytes that are encrypted cannot be sent from a file without a copy.
package struct SecureConnections: ConnectionSetup {
    private let certificate: ServerCertificate
    private let http1: ServerConnections
    private let http2: HTTP2Channel
    private let limits: ConnectionLimits
    private let addresses: AddressConnections
    private let unsent: UnsentBudget

    package init(
        to routes: @escaping HTTPChannelHandler.Responder, _ certificate: ServerCertificate, _ refusals: HeadRefusals,
        _ limits: ConnectionLimits, _ addresses: AddressConnections, _ unsent: UnsentBudget
    ) {
        self.certificate = certificate
        self.limits = limits
        self.addresses = addresses
        self.unsent = unsent
        http1 = ServerConnections(to: routes, nil, refusals, limits, addresses, unsent)
        http2 = HTTP2Channel(
            responder: routes,
            configuration: .init(
                // A graceful close (GOAWAY). A client that ignores it is disconnected by the connection's own watch.
                idleTimeout: .nanoseconds(limits.idle.nanoseconds),
                streamConfiguration: .init(
                    additionalChannelHandlers: [
                        StreamHeadCheck(refusals), DrainingCloseHandler(within: limits.idle),
                        BodyDeadlineHandler(within: limits.body), ExpectContinueHandler(), StreamWatch(limits),
                    ])))
    }

    package func begin(on channel: any Channel, _ routed: RoutedConnections) throws {
        guard addresses.admit(channel) else { return channel.close(promise: nil) }
        try channel.limitReads()
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
        let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Void> { result in
            begin(result, on: channel, routed)
        }
        try pipeline.addHandler(negotiation)
        // A handshake may take as long as a head.
        let deadline = channel.eventLoop.scheduleTask(in: limits.header) { channel.close(promise: nil) }
        negotiation.protocolNegotiationResult.whenComplete { result in
            deadline.cancel()
            guard case .failure(let error) = result else { return }
            // Anybody can cause these: no TLS, an old version, a certificate that the client does not trust.
            logger.debug("TLS handshake failed", metadata: ["error": "\(error)"])
        }
    }

    private func begin(
        _ result: ALPNResult, on channel: any Channel, _ routed: RoutedConnections
    ) -> EventLoopFuture<Void> {
        guard case .negotiated("h2") = result else {
            return channel.eventLoop.makeCompletedFuture { try http1.beginAdmitted(on: channel, routed) }
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(
                StreamCount(idle: limits.idle + Limits.lingerTime, unsent: unsent.connection(channel)))
        }
        .flatMap { http2.setup(channel: channel, logger: logger) }
        .map { connection in routed.add { await http2.handle(value: connection, logger: logger) } }
    }

    private var logger: Logger { http1.logger }
}

/// Answers an HTTP/2 stream whose request is refused for its head alone, and does not pass it to the routes.
final class StreamHeadCheck: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundOut = HTTPResponsePart

    private let refusals: HeadRefusals
    private var isRefused = false

    init(_ refusals: HeadRefusals) { self.refusals = refusals }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), let error = RequestHeadError(head) {
            isRefused = true
            return refuse(head, error, context)
        }
        if !isRefused { context.fireChannelRead(data) }
    }

    private func refuse(_ request: HTTPRequest, _ error: RequestHeadError, _ context: ChannelHandlerContext) {
        let answer = refusals.answer(to: error, request.method)
        var head = HTTPResponse(status: HeadRefusals.status, headerFields: answer.fields)
        head.headerFields[.contentLength] = String(answer.body.readableBytes)
        head.headerFields[.requestID] = "\(answer.id)"
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if request.method != .head { context.write(wrapOutboundOut(.body(answer.body)), promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }
}
