import Foundation
import NIOCore
import NIOPosix
import ServerHTTP

/// A host and port to listen on.
package struct ListenEndpoint: Hashable, Sendable, CustomStringConvertible {
    package var host: String
    package var port: Int

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
    }

    package var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Binds all addresses and releases them, so that a failure is reported before another service claims to listen,
    /// and before a ledger is created. If another program takes an address just afterwards, the service fails with an
    /// error that names it.
    ///
    /// - Throws: ``CommandError`` that names the first address that cannot be bound.
    package static func requireFree(_ endpoints: [ListenEndpoint]) async throws {
        // Held until all are tried, so that two equal addresses fail.
        var held: [any Channel] = []
        let failure: CommandError?
        do {
            for endpoint in endpoints { held.append(try await endpoint.bind()) }
            failure = nil
        } catch { failure = error }
        for channel in held { try? await channel.close() }
        if let failure { throw failure }
    }

    /// A listening socket that closes each connection it accepts: nobody would answer there, and a client whose
    /// connection stayed open would wait for an answer instead of trying again.
    func bind() async throws(CommandError) -> any Channel {
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { $0.eventLoop.makeFailedFuture(ChannelError.ioOnClosedChannel) }
                .bind(host: host, port: port).get()
        } catch { throw Self.failure(error, at: [self]) }
    }

    /// The error message for a listening socket's failure.
    ///
    /// - Parameter endpoints: the addresses, one of which failed.
    package static func failure(_ error: any Error, at endpoints: [ListenEndpoint]) -> CommandError {
        let reason =
            switch error {
            case let error as IOError: String(cString: strerror(error.errnoCode))
            case is SocketAddressError: "there is no such host"
            default: "\(error)"
            }
        return CommandError("cannot listen on \(endpoints.map(\.description).formatted(.list(type: .or))): \(reason)")
    }
}

extension Settings {
    /// The addresses that `serve` listens on, including those of the simulated App Store, of `/metrics` and of the
    /// pages if they have their own.
    package var listeningPlaces: [ListenEndpoint] {
        let ports = simulator ? [port, simulatorPort] : [port]
        let separate = [metricsListen, adminPages.address].compactMap { $0 }
        return ports.map { ListenEndpoint(host: host, port: $0) }
            + separate.map { ListenEndpoint(host: $0.host, port: $0.port) }
    }
}
