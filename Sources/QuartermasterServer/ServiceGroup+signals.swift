import Foundation
import Logging
import NIOCore
import ServiceLifecycle
import UnixSignals

extension ServiceGroupConfiguration {
    /// Stops in the reverse order on SIGTERM and SIGINT; what is being answered then has a limited time to end.
    static func stoppingOnSignals(_ services: [any Service], _ logger: Logger) -> ServiceGroupConfiguration {
        var configuration = ServiceGroupConfiguration(
            services: services, gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = Limits.shutdownTime
        return configuration
    }
}

/// Says in one line on standard output where something listens.
func announce(_ name: String, at host: String, _ channel: any Channel) {
    let address = host.contains(":") ? "[\(host)]" : host
    let line = "\(name) listens on http://\(address):\(channel.localAddress?.port ?? 0)\n"
    // `print` would keep the line back where standard output is a pipe.
    try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
}
