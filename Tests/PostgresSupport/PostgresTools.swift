package import Foundation

/// PostgreSQL's own programs, which refuse to run as root.
package struct PostgresTools: Sendable {
    /// Why there is no server.
    package struct Missing: Error, CustomStringConvertible {
        package let description: String

        init(_ description: String) { self.description = description }
    }

    /// The user that a server runs as if the tests run as root.
    private static let users = ["postgres", "nobody"]

    let folder: String

    /// - Throws: ``Missing`` if PostgreSQL is not installed.
    package init() throws {
        let debian = "/usr/lib/postgresql"
        let versions = (try? FileManager.default.contentsOfDirectory(atPath: debian)) ?? []
        // Newest first, by number: 9.6 comes after 15.
        let folders =
            versions.sorted { $0.compare($1, options: .numeric) == .orderedDescending }.map { "\(debian)/\($0)/bin" }
            + (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let found = folders.first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
        guard let found else { throw Missing("no PostgreSQL server is installed; install one with: make setup-tests") }
        folder = found
    }

    /// One of the programs, such as `pg_dump`.
    package func program(_ name: String) -> URL { URL(filePath: folder).appending(path: name) }

    /// The command that runs another as a user who is not root.
    func asUser(_ command: [String]) -> [String] {
        guard getuid() == 0, let user = Self.users.compactMap({ getpwnam($0)?.pointee }).first else {
            return ["/usr/bin/env"] + command
        }
        return [
            "/usr/bin/env", "setpriv", "--reuid=\(user.pw_uid)", "--regid=\(user.pw_gid)", "--clear-groups", "--",
        ] + command
    }
}
