import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The maximum number of open files, sockets among them, that the operating system grants this process.
package enum OpenFiles {
    /// The number reserved for files of the ledger, the catalog and the command line, and for connections to the App
    /// Store.
    static let reserved = 64

    #if canImport(Glibc)
        private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
    #else
        private static let resource = RLIMIT_NOFILE
    #endif

    private static var limit: rlimit? {
        var limit = rlimit()
        return getrlimit(resource, &limit) == 0 ? limit : nil
    }

    /// Raises the soft limit to the hard limit; the default soft limit is meant for programs that use `select`.
    package static func raiseLimit() {
        guard var limit else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    /// The maximum number of open connections that leaves room for files: each connection may need another one, to
    /// download from.
    package static var connections: Int { min(Limits.connections, max(1, (all - reserved - cached) / 2)) }

    /// The maximum number of content files that may be kept open.
    package static var cached: Int { min(Limits.openFiles, all / 4) }

    private static var all: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? 1024 }
}
