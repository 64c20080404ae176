import Foundation
package import Logging
import ServiceLifecycle

/// Tells systemd that the server serves, and that it stops, as units with `Type=notify` do: each is one datagram to the
/// socket that systemd names in `NOTIFY_SOCKET` (sd_notify(3)). Without one it tells nobody.
package struct SystemdNotifier: Service {
    package enum State: String, Sendable {
        case ready = "READY=1"
        case stopping = "STOPPING=1"
    }

    /// In seconds: how long a datagram may wait for room in the queue of systemd.
    private static let maximumWait = 5

    private let path: String?
    private let logger: Logger

    /// - Parameter environment: of the process.
    package init(_ environment: [String: String], _ logger: Logger) {
        path = environment["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        self.logger = logger
    }

    /// Waits until the server is asked to stop, and tells of it. To be the last of the services, which stop in the
    /// reverse order.
    package func run() async {
        try? await gracefulShutdown()
        tell(.stopping)
    }

    /// Sends a state; logs a warning if that fails.
    package func tell(_ state: State) {
        guard let path, !Self.send(state.rawValue, to: path) else { return }
        let error = String(cString: strerror(errno))
        logger.warning("systemd was not told", metadata: ["state": "\(state.rawValue)", "error": "\(error)"])
    }

    /// - Parameter path: of a socket; with an `@` in front it is in the abstract namespace.
    /// - Returns: `false` if the system refuses; `errno` says why.
    private static func send(_ text: String, to path: String) -> Bool {
        let isAbstract = path.hasPrefix("@")
        let name = isAbstract ? [0] + Array(path.utf8.dropFirst()) : Array(path.utf8) + [0]
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard name.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            errno = ENAMETOOLONG
            return false
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: name) }
        let length = socklen_t((MemoryLayout.offset(of: \sockaddr_un.sun_path) ?? 0) + name.count)
        let descriptor = socket(AF_UNIX, datagram, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var wait = timeval(tv_sec: maximumWait, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &wait, socklen_t(MemoryLayout<timeval>.size))
        return withUnsafePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, text, text.utf8.count, 0, $0, length) == text.utf8.count
            }
        }
    }

    private static var datagram: CInt {
        #if canImport(Darwin)
            SOCK_DGRAM
        #else
            CInt(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue)
        #endif
    }
}
