import Foundation
import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Warns of proxies that are not in `trustedProxies`: all clients behind such a proxy share the limits of one.
///
/// Each address is reported once, since every request of it would cause a warning.
package final class ForwardedForWatch: RouterMiddleware {
    /// More proxies than anybody has in front of one server. Clients without a proxy may send the header too, and must
    /// not fill the log.
    static let maximumAddresses = 16

    private let clients: ClientAddresses
    private let reported = Mutex<Set<IPAddress>>([])

    package init(_ clients: ClientAddresses) { self.clients = clients }

    package func handle(
        _ request: Request, context: ServerContext, next: (Request, ServerContext) async throws -> Response
    ) async throws -> Response {
        if request.headers.contains(.forwardedFor) { tell(context) }
        return try await next(request, context)
    }

    /// Logs the address of the connection. The header's value can be invented by anybody, and is not logged.
    private func tell(_ context: ServerContext) {
        guard let socket = context.channel.remoteAddress, let peer = IPAddress(socket), !clients.isTrusted(peer),
            isNew(peer)
        else { return }
        context.logger.warning(
            """
            X-Forwarded-For comes from an address that trustedProxies does not name; if that is your proxy, all who come \
            through it count as one client
            """, metadata: ["address": "\(socket.ipAddress ?? "unknown")"])
    }

    private func isNew(_ peer: IPAddress) -> Bool {
        reported.withLock { $0.count < Self.maximumAddresses && $0.insert(peer).inserted }
    }
}
