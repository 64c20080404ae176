import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// Connections as the framework has them, with a fast lane below its codec, and limits.
struct ServerConnections: ServerChildChannel {
    typealias Value = HTTP1Channel.Value

    private let base: HTTP1Channel
    private let responder: FastResponder?
    private let limits: ConnectionLimits
    private let addresses: AddressConnections

    /// - Parameters:
    ///   - routes: what answers all that the fast lane does not.
    ///   - responder: nil leaves everything to the routes, as it must be under TLS.
    init(
        to routes: @escaping HTTPChannelHandler.Responder, _ responder: FastResponder?, _ limits: ConnectionLimits,
        _ addresses: AddressConnections
    ) {
        (self.responder, self.limits, self.addresses) = (responder, limits, addresses)
        base = HTTP1Channel(
            responder: routes,
            configuration: .init(
                additionalChannelHandlers: [
                    DrainingCloseHandler(), BodyDeadlineHandler(within: limits.body), ExpectContinueHandler(),
                ],
                // The lane watches over it: the framework does not see what is answered there.
                idleTimeout: nil,
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Limits.headerFieldBytes, maxHeaderListSize: Limits.headerBytes,
                    maxHeaderFieldCount: Limits.headerFields)))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        begin(on: channel, logger).map { value in
            // Not by an error: the framework would take it for one of the listening socket.
            if !addresses.admit(channel) { channel.close(promise: nil) }
            return value
        }
    }

    /// Makes a channel that was admitted one of HTTP/1.
    func begin(on channel: any Channel, _ logger: Logger) -> EventLoopFuture<Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
            let lane = FastLane(responder, limits, at: channel.eventLoop.now)
            try pipeline.addHandler(lane, position: .before(codec))
            return value
        }
    }

    func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
