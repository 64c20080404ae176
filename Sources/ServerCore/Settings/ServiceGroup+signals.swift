import Foundation
package import Logging
package import NIOCore
import ServerHTTP
package import ServiceLifecycle
import UnixSignals

extension ServiceGroup {
    /// Runs the services until SIGTERM or SIGINT, then stops them in the reverse order; requests in progress then have
    /// a limited time to complete.
    ///
    /// - Parameter endpoints: the addresses that the services listen on.
    /// - Throws: ``CommandError`` if the system refuses what a service needs, above all a port.
    package static func run(_ services: [any Service], at endpoints: [ListenEndpoint], _ logger: Logger) async throws {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = Limits.shutdownTime
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            throw ListenEndpoint.failure(error, at: endpoints)
        }
    }
}

/// Prints one line to standard output with the address that a service listens on.
package func announce(_ name: String, at host: String, _ channel: any Channel, isSecure: Bool = false) {
    let address = host.contains(":") ? "[\(host)]" : host
    let line = "\(name) listens on \(isSecure ? "https" : "http")://\(address):\(channel.localAddress?.port ?? 0)\n"
    // `print` would buffer the line if standard output is a pipe.
    try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
}
