package import CoreMetrics
import Logging
package import NIOCore
import NIOPosix
import ServiceLifecycle

/// Listens on an address and serves the connections until the server stops, when those in use have time to end.
///
/// Connections are accepted without a task for each: the fast path needs none.
package struct Listener: Service {
    /// The connections that the system has accepted and the server has not.
    private static let backlog: Int32 = 256

    package var address: ListenAddress
    package let connections: any ConnectionSetup
    /// The maximum number of open connections.
    package var maximum: Int
    /// Shows the number of open connections.
    package var meter: Meter?
    /// Called once, with the channel that listens.
    package var onListening: @Sendable (any Channel) async -> Void

    package init(
        address: ListenAddress, connections: any ConnectionSetup, maximum: Int, meter: Meter? = nil,
        onListening: @escaping @Sendable (any Channel) async -> Void
    ) {
        self.address = address
        self.connections = connections
        self.maximum = maximum
        self.meter = meter
        self.onListening = onListening
    }

    /// - Throws: `IOError` if the system refuses the address.
    package func run() async throws {
        let routed = RoutedConnections()
        let channel = try await listen(routed)
        let loop = channel.eventLoop
        let accepted = try await loop.submit {
            NIOLoopBound(try channel.pipeline.syncOperations.handler(type: AcceptedConnections.self), eventLoop: loop)
        }.get()
        await withTaskCancellationHandler {
            await withGracefulShutdownHandler {
                await onListening(channel)
                await routed.run()
            } onGracefulShutdown: {
                channel.close(promise: nil)
                loop.execute { accepted.value.stop { routed.finish() } }
            }
        } onCancel: {
            channel.close(promise: nil)
            loop.execute { accepted.value.closeAll() }
        }
    }

    private func listen(_ routed: RoutedConnections) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: Self.backlog)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandlers(handlers()) }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try connections.begin(on: channel, routed) }
            }
            .bind(host: address.host, port: address.port).get()
    }

    /// The handlers of the listening channel. The first pauses when the system has no file descriptor left, instead of
    /// asking it again and again.
    package func handlers() -> [any ChannelHandler] {
        [
            AcceptBackoffHandler(shouldForwardIOErrorCaught: false),
            AcceptedConnections(maximum: maximum, meter: meter),
        ]
    }
}
