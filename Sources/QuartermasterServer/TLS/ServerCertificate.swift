import Foundation
import Logging
import NIOSSL
import ServiceLifecycle
import Synchronization

/// The certificate that new connections get, taken up anew when its files change.
///
/// The files are looked at every second, which notices what a file watch misses: renewals by symbolic links. A pair that
/// is broken is reported once, and the old one stays; one that is written while it is read is read again first.
final class ServerCertificate: Service {
    static let interval = Duration.seconds(1)

    private struct Served {
        var context: NIOSSLContext
        var revision: Data
    }

    private let files: TLSFiles
    private let logger: Logger
    private let served: Mutex<Served>

    /// - Throws: ``SettingError`` where the files are wrong.
    init(_ files: TLSFiles, _ logger: Logger) throws {
        self.files = files
        self.logger = logger
        let contents = try files.read()
        served = Mutex(Served(context: try files.context(contents), revision: contents.revision))
    }

    var context: NIOSSLContext { served.withLock { $0.context } }

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            var seen = Seen()
            while true {
                try await Task.sleep(for: Self.interval)
                self.look(&seen)
            }
        }
    }

    /// What earlier looks found out.
    struct Seen {
        /// Why the files of the last look were not served.
        var bad: String?
        var reported: String?
    }

    /// One look at the files. Takes them up, reports them, or waits for the next look.
    func look(_ seen: inout Seen) {
        do {
            try refresh()
            seen = Seen()
        } catch {
            let mistake = "\(error)"
            if seen.bad == mistake, seen.reported != mistake {
                logger.error("certificate not replaced", metadata: ["mistake": "\(mistake)"])
                seen.reported = mistake
            }
            seen.bad = mistake
        }
    }

    private func refresh() throws {
        let contents = try files.read()
        let revision = contents.revision
        guard served.withLock({ $0.revision }) != revision else { return }
        let context = try files.context(contents)
        served.withLock { $0 = Served(context: context, revision: revision) }
        logger.notice("certificate replaced", metadata: ["path": "\(files.certificate)"])
    }
}
