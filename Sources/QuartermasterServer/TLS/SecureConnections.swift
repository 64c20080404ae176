import HummingbirdCore
import HummingbirdHTTP2
import Logging
import NIOCore
import NIOSSL
import NIOTLS

/// Connections with TLS, with HTTP/2 or HTTP/1.1 as the client chooses (ALPN).
///
/// The routes answer everything here: bytes that are encrypted cannot be sent from a file without a copy.
struct SecureConnections: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        fileprivate let negotiated: EventLoopFuture<Negotiated>
        let channel: any Channel
    }

    fileprivate enum Negotiated: Sendable {
        case http1(ServerConnections.Value)
        case http2(HTTP2Channel.Value)
    }

    private let certificate: ServerCertificate
    private let http1: ServerConnections
    private let http2: HTTP2Channel
    private let limits: ConnectionLimits
    private let addresses: AddressConnections

    init(
        to routes: @escaping HTTPChannelHandler.Responder, _ certificate: ServerCertificate, _ refusals: HeadRefusals,
        _ limits: ConnectionLimits, _ addresses: AddressConnections
    ) {
        self.certificate = certificate
        self.limits = limits
        self.addresses = addresses
        http1 = ServerConnections(to: routes, nil, refusals, limits, addresses)
        http2 = HTTP2Channel(
            responder: routes,
            configuration: .init(
                // A graceful close (GOAWAY). A client that ignores it is cut off by the connection's own watch.
                idleTimeout: .nanoseconds(limits.idle.nanoseconds),
                streamConfiguration: .init(
                    additionalChannelHandlers: [
                        StreamHeadCheck(refusals), DrainingCloseHandler(within: limits.idle),
                        BodyDeadlineHandler(within: limits.body), ExpectContinueHandler(), StreamWatch(limits),
                    ])))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.limitReads()
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(NIOSSLServerHandler(context: certificate.context))
            let negotiation = NIOTypedApplicationProtocolNegotiationHandler<Negotiated> { result in
                begin(result, on: channel, logger)
            }
            try pipeline.addHandler(negotiation)
            let negotiated = negotiation.protocolNegotiationResult
            // A handshake may take as long as a head.
            let deadline = channel.eventLoop.scheduleTask(in: limits.header) { channel.close(promise: nil) }
            negotiated.whenComplete { _ in deadline.cancel() }
            if !addresses.admit(channel) { channel.close(promise: nil) }
            return Value(negotiated: negotiated, channel: channel)
        }
    }

    private func begin(
        _ result: ALPNResult, on channel: any Channel, _ logger: Logger
    ) -> EventLoopFuture<Negotiated> {
        guard case .negotiated("h2") = result else {
            return http1.begin(on: channel, logger).map { .http1($0) }
        }
        return channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(StreamCount(idle: limits.idle + Limits.lingerTime))
        }
        .flatMap { http2.setup(channel: channel, logger: logger).map { .http2($0) } }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.negotiated.get() {
            case .http1(let connection): await http1.handle(value: connection, logger: logger)
            case .http2(let connection): await http2.handle(value: connection, logger: logger)
            }
        } catch {
            // Causes that are anybody's: no TLS, an old version, a certificate that the client does not trust.
            logger.debug("TLS handshake failed", metadata: ["error": "\(error)"])
        }
    }
}
