import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypesHTTP1

/// The framework's connections, with a fast path below its codec, and limits.
///
/// The framework's handlers are added when the first request needs them: to create them costs more than to answer a
/// request of the fast path.
struct ServerConnections: ServerChildChannel {
    struct Value: ServerChildChannelValue {
        /// `nil` if the connection ended and no request needed the routes.
        fileprivate let routed: EventLoopFuture<HTTP1Channel.Value?>
        let channel: any Channel
    }

    private let base: HTTP1Channel
    private let responder: FastResponder?
    private let refusals: HeadRefusals
    private let limits: ConnectionLimits
    private let addresses: AddressConnections

    /// - Parameters:
    ///   - routes: answers every request that the fast path does not.
    ///   - responder: `nil` leaves everything to the routes, as it must be under TLS.
    ///   - refusals: answers requests that no route may see.
    init(
        to routes: @escaping HTTPChannelHandler.Responder, _ responder: FastResponder?, _ refusals: HeadRefusals,
        _ limits: ConnectionLimits, _ addresses: AddressConnections
    ) {
        self.responder = responder
        self.refusals = refusals
        self.limits = limits
        self.addresses = addresses
        base = HTTP1Channel(
            responder: routes,
            configuration: .init(
                additionalChannelHandlers: [
                    DrainingCloseHandler(), BodyDeadlineHandler(within: limits.body), ExpectContinueHandler(),
                ]))
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        begin(on: channel, logger).map { value in
            // Not by an error: the framework would take it for one of the listening socket.
            if !addresses.admit(channel) { channel.close(promise: nil) }
            return value
        }
    }

    /// Sets up HTTP/1 on a channel that was admitted.
    func begin(on channel: any Channel, _ logger: Logger) -> EventLoopFuture<Value> {
        channel.eventLoop.makeCompletedFuture {
            var heads = NIOHTTPDecoderLimitConfiguration()
            heads.maxHeaderFieldSize = Limits.headerFieldBytes
            heads.maxHeaderListSize = Limits.headerBytes
            heads.maxHeaderFieldCount = Limits.headerFields
            try channel.limitReads()
            let (pipeline, input) = (channel.pipeline.syncOperations, InputGate())
            try pipeline.addHandler(input)
            // Requests wait for each other in the fast path and in the framework; errors and responses are checked
            // there too.
            try pipeline.configureHTTPServerPipeline(
                withPipeliningAssistance: false, withErrorHandling: false, withOutboundHeaderValidation: false,
                withEncoderConfiguration: .init(), withDecoderLimitConfiguration: heads)
            let routed = channel.eventLoop.makePromise(of: HTTP1Channel.Value?.self)
            let routes = ConnectionRoutes {
                routed.succeed(try addRoutes(to: channel, logger))
            } orEnding: {
                routed.succeed(nil)
            }
            let time = channel.eventLoop.now
            try pipeline.addHandler(FastPath(responder, refusals, limits, routes, behind: input, at: time))
            return Value(routed: routed.futureResult, channel: channel)
        }
    }

    /// Adds the framework's handlers after its decoder. The fast path closes idle connections, since the framework does
    /// not see what is answered there.
    private func addRoutes(to channel: any Channel, _ logger: Logger) throws -> HTTP1Channel.Value {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandlers(base.configuration.additionalChannelHandlers())
        try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(
                // What waits here is in no budget: of NIO's own ten parts of 64 KiB, two are enough to go on reading.
                backPressureStrategy: .init(lowWatermark: 1, highWatermark: 2), isOutboundHalfClosureEnabled: true))
    }

    func handle(value: Value, logger: Logger) async {
        let connection = await withTaskCancellationHandler {
            try? await value.routed.get()
        } onCancel: {
            value.channel.close(promise: nil)
        }
        if let connection { await base.handle(value: connection, logger: logger) }
    }
}
