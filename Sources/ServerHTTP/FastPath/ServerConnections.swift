package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTPTypesHTTP1
import Synchronization

/// The framework's connections, with a fast path below its codec, and limits.
///
/// The decoder and the framework's handlers are each added when the first request needs them: creating them costs more
/// than answering a request of the fast path.
package struct ServerConnections: ConnectionSetup {
    private let base: HTTP1Channel
    private let responder: (any FastResponding)?
    private let refusals: HeadRefusals
    private let limits: ConnectionLimits
    private let addresses: AddressConnections
    private let unsent: UnsentBudget
    private let known: KnownHeadTables

    /// - Parameters:
    ///   - routes: answers every request that the fast path does not.
    ///   - responder: `nil` leaves everything to the routes, as it must be under TLS.
    ///   - refusals: answers requests that no route may see.
    package init(
        to routes: @escaping HTTPChannelHandler.Responder, _ responder: (any FastResponding)?, _ refusals: HeadRefusals,
        _ limits: ConnectionLimits, _ addresses: AddressConnections, _ unsent: UnsentBudget
    ) {
        self.responder = responder
        self.refusals = refusals
        self.limits = limits
        self.addresses = addresses
        self.unsent = unsent
        known = KnownHeadTables(addresses.clients)
        base = HTTP1Channel(
            responder: routes,
            configuration: .init(additionalChannelHandlers: [
                DrainingCloseHandler(), BodyDeadlineHandler(within: limits.body), ExpectContinueHandler(),
            ]))
    }

    package var logger: Logger { refusals.logger }

    package func begin(on channel: any Channel, _ routed: RoutedConnections) throws {
        guard addresses.admit(channel) else { return channel.close(promise: nil) }
        try channel.limitReads()
        try beginAdmitted(on: channel, routed)
    }

    /// Sets up HTTP/1 on a channel that was admitted.
    func beginAdmitted(on channel: any Channel, _ routed: RoutedConnections) throws {
        let pipeline = channel.pipeline.syncOperations
        let input = RequestBytes(known: responder == nil ? nil : known.table(of: channel.eventLoop), unsent: unsent)
        try pipeline.addHandler(input)
        let path = FastPath(responder, refusals, limits, behind: input, at: channel.eventLoop.now) {
            try addFramework(to: channel, routed)
        }
        try pipeline.addHandler(path)
    }

    private func addFramework(to channel: any Channel, _ routed: RoutedConnections) throws {
        let connection = try framework(on: channel)
        routed.add { await base.handle(value: connection, logger: logger) }
    }

    /// Adds the framework's handlers after its decoder. The fast path closes idle connections, since the framework does
    /// not see what is answered there.
    private func framework(on channel: any Channel) throws -> HTTP1Channel.Value {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandlers(base.configuration.additionalChannelHandlers())
        try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
        return try NIOAsyncChannel(
            wrappingChannelSynchronously: channel,
            configuration: .init(
                // Parts that wait here count in no budget: they are fewer than NIO's own ten of 64 KiB. A usual request
                // is three parts, head, body and end: with fewer, each would stop the reading and begin it again, which
                // is two system calls and a change of threads.
                backPressureStrategy: .init(lowWatermark: 1, highWatermark: 4), isOutboundHalfClosureEnabled: true))
    }
}

/// The tables of known heads of one listener: one for each event loop, so that none is locked.
final class KnownHeadTables: Sendable {
    private let clients: ClientAddresses
    private let tables = Mutex<[ObjectIdentifier: NIOLoopBound<KnownHeads>]>([:])

    init(_ clients: ClientAddresses) { self.clients = clients }

    /// The table of an event loop, on which it must be called.
    func table(of loop: any EventLoop) -> KnownHeads {
        tables.withLock { tables in
            let key = ObjectIdentifier(loop)
            if let table = tables[key] { return table }
            let table = NIOLoopBound(KnownHeads(clients), eventLoop: loop)
            tables[key] = table
            return table
        }.value
    }
}
