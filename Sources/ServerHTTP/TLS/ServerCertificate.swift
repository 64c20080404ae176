package import CoreMetrics
import Foundation
package import Logging
package import NIOSSL
import ServiceLifecycle
import Synchronization

/// The certificate of new connections, reloaded when its files change.
///
/// The files are polled every second, which also notices renewals by symbolic links, which a file watch misses. A
/// broken pair is reported once, and the old one stays; files that are read while they are written are read again
/// first.
package final class ServerCertificate: Service {
    package static let interval = Duration.seconds(1)

    private struct Served {
        var context: NIOSSLContext
        var revision: Data
    }

    private let files: TLSFiles
    private let notAfter: Meter
    private let logger: Logger
    private let served: Mutex<Served>

    /// - Parameter notAfter: measures the end of the validity of the chain that is served.
    /// - Throws: ``SettingError`` if the files are invalid.
    package init(_ files: TLSFiles, notAfter: Meter, _ logger: Logger) throws {
        self.files = files
        self.notAfter = notAfter
        self.logger = logger
        let contents = try files.read()
        let identity = try files.identity(contents)
        served = Mutex(Served(context: identity.context, revision: contents.revision))
        notAfter.set(identity.notAfter)
    }

    package var context: NIOSSLContext { served.withLock { $0.context } }

    package func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var seen = Seen()
            while true {
                try await Task.sleep(for: Self.interval)
                self.look(&seen)
            }
        }
    }

    /// The findings of earlier polls.
    package struct Seen {
        /// The error in the files of the last poll; `nil` if they are served.
        package var bad: String?
        package var reported: String?

        package init(bad: String? = nil, reported: String? = nil) {
            self.bad = bad
            self.reported = reported
        }
    }

    /// Polls the files once: uses them, reports their error, or waits for the next poll.
    package func look(_ seen: inout Seen) {
        do {
            try refresh()
            seen = Seen()
        } catch {
            let error = "\(error)"
            if seen.bad == error, seen.reported != error {
                logger.error("certificate not replaced", metadata: ["mistake": "\(error)"])
                seen.reported = error
            }
            seen.bad = error
        }
    }

    private func refresh() throws {
        let contents = try files.read()
        let revision = contents.revision
        guard served.withLock({ $0.revision }) != revision else { return }
        let identity = try files.identity(contents)
        served.withLock { $0 = Served(context: identity.context, revision: revision) }
        notAfter.set(identity.notAfter)
        logger.notice("certificate replaced", metadata: ["path": "\(files.certificate)"])
    }
}
