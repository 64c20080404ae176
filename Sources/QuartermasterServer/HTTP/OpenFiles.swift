import Foundation

#if canImport(Glibc)
    import Glibc
#endif

/// The open files, sockets among them, that the operating system lets this process have.
enum OpenFiles {
    /// Those of the ledger, the catalog, the command line and the connections to the store.
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

    /// Takes as many as the operator allows; what a process is started with is meant for programs that use `select`.
    static func raiseLimit() {
        guard var limit else { return }
        limit.rlim_cur = limit.rlim_max
        _ = setrlimit(resource, &limit)
    }

    /// How many connections may be open, so that files can still be opened: each may need another, to download from.
    static var connections: Int {
        min(Limits.connections, max(1, (all - reserved - cached) / 2))
    }

    /// How many files of the content may be kept open.
    static var cached: Int { min(ContentCache.maximumFiles, all / 4) }

    private static var all: Int { limit.map { Int(clamping: $0.rlim_cur) } ?? 1024 }
}
