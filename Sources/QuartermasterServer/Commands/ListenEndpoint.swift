import Foundation
import NIOCore
import NIOPosix

/// A host and a port that something is to listen on.
struct ListenEndpoint: Hashable, Sendable, CustomStringConvertible {
    var host: String
    var port: Int

    var description: String { "\(host.contains(":") ? "[\(host)]" : host):\(port)" }

    /// Tries all of them, and gives them back: what is wrong with one is said before another claims to listen, and before
    /// a ledger is made. A program that takes one in the instant after is named when the service fails.
    ///
    /// - Throws: ``CommandError`` that names the first that cannot be had.
    static func requireFree(_ places: [ListenEndpoint]) async throws {
        // Held until all are tried: two that are the same do not pass.
        var held: [any Channel] = []
        let failure: CommandError?
        do {
            for place in places { held.append(try await place.bind()) }
            failure = nil
        } catch { failure = error }
        for channel in held { try? await channel.close() }
        if let failure { throw failure }
    }

    private func bind() async throws(CommandError) -> any Channel {
        do {
            return try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .bind(host: host, port: port).get()
        } catch { throw Self.failure(error, at: [self]) }
    }

    /// What an error of a listening socket amounts to.
    ///
    /// - Parameter places: one of them is meant.
    static func failure(_ error: any Error, at places: [ListenEndpoint]) -> CommandError {
        let reason =
            switch error {
            case let error as IOError: String(cString: strerror(error.errnoCode))
            case is SocketAddressError: "there is no such host"
            default: "\(error)"
            }
        return CommandError("cannot listen on \(places.map(\.description).formatted(.list(type: .or))): \(reason)")
    }
}

extension Settings {
    /// Where `serve` listens: the simulated store too, and `/metrics`, where they have an address of their own.
    var listeningPlaces: [ListenEndpoint] {
        let ports = simulator ? [port, simulatorPort] : [port]
        let metrics = metricsListen.map { [ListenEndpoint(host: $0.host, port: $0.port)] } ?? []
        return ports.map { ListenEndpoint(host: host, port: $0) } + metrics
    }
}
