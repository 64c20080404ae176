import Foundation

/// PgBouncer in front of a server of the tests, with fewer connections to it than clients have to PgBouncer.
package final class Pooler: Sendable {
    private static let program = "/usr/sbin/pgbouncer"
    package static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let process: Process
    private let lifeline: Pipe
    private let port: Int
    private let folder: String

    /// Starts it; it ends with this process.
    package init(for server: PostgresServer) throws {
        let (process, lifeline, output) = (Process(), Pipe(), Pipe())
        let command = try PostgresTools().asUser([
            "/bin/sh", "-c", Self.script, "pgbouncer", Self.program, server.folder, "\(server.port)",
        ])
        process.executableURL = URL(filePath: command[0])
        process.arguments = Array(command.dropFirst())
        (process.standardInput, process.standardOutput) = (lifeline, output)
        try process.run()
        let words = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self).split(separator: "\n")
        guard let port = words.first.flatMap({ Int($0) }) else { throw PostgresTools.Missing("no pooler started") }
        self.process = process
        self.lifeline = lifeline
        self.port = port
        folder = server.folder
    }

    deinit { try? lifeline.fileHandleForWriting.close() }

    package func url(_ database: String) -> String {
        "postgresql:///\(database)?host=\(folder)&port=\(port)&user=quartermaster"
    }

    private static let script = """
        trap '' HUP INT TERM
        umask 077 && settings=$(mktemp "$2/pgbouncer.XXXXXX") || exit 1
        port=$(($$ % 20000 + 32000))
        cat >"$settings" <<END
        [databases]
        * = host=$2 port=$3 user=quartermaster
        [pgbouncer]
        listen_addr =
        listen_port = $port
        unix_socket_dir = $2
        auth_type = any
        pool_mode = transaction
        default_pool_size = 3
        max_client_conn = 100
        END
        "$1" -q "$settings" </dev/null >/dev/null 2>"$settings.log" &
        until [ -S "$2/.s.PGSQL.$port" ]; do kill -0 $! || exit 1; sleep 0.05; done
        echo $port
        exec >&-
        cat >/dev/null
        kill -INT $!
        wait $!
        """
}
