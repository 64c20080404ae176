import Foundation
import LedgerPostgres
import Synchronization

/// A PostgreSQL server of the tests' own, in a folder that is gone when they end, however they end.
///
/// A shell starts and stops it, as another user if the tests run as root, since PostgreSQL refuses to. The shell reads
/// from a pipe whose other end this process holds: at the end of the pipe it stops the server and removes the folder.
package final class PostgresServer: Sendable {
    /// The one that is shared by tests which do not stop it.
    package static let shared = Result { try PostgresServer() }

    /// After this time a start has failed.
    static let timeout = 180

    package let folder: String
    package let port: Int
    private let shell: Process
    private let lifeline: Pipe
    private let output: Pipe
    private let numbers = Atomic(0)
    private let template = LedgerTemplate()

    /// Makes a server and starts it.
    ///
    /// - Throws: ``PostgresTools/Missing`` if PostgreSQL is not installed.
    package init() throws {
        let tools = try PostgresTools()
        let (shell, lifeline, output) = (Process(), Pipe(), Pipe())
        let command = tools.asUser(["/bin/sh", "-c", Self.script, "postgres", tools.folder, "\(Self.timeout)"])
        shell.executableURL = URL(filePath: command[0])
        shell.arguments = Array(command.dropFirst())
        (shell.standardInput, shell.standardOutput) = (lifeline, output)
        try shell.run()
        let words = try Self.line(of: output)
        guard words.count == 2, let port = Int(words[0]) else { throw PostgresTools.Missing("no port in \(words)") }
        self.shell = shell
        self.lifeline = lifeline
        self.output = output
        self.port = port
        folder = words[1]
    }

    /// The words of the next line that the shell prints.
    private static func line(of output: Pipe) throws -> [String] {
        var said = Data()
        while !said.contains(UInt8(ascii: "\n")) {
            let more = output.fileHandleForReading.availableData
            guard !more.isEmpty else { throw PostgresTools.Missing("the server did not start") }
            said += more
        }
        return String(decoding: said, as: UTF8.self).split(whereSeparator: \.isWhitespace).map(String.init)
    }

    deinit { try? lifeline.fileHandleForWriting.close() }

    /// - Parameter options: more of the URL's query.
    package func url(_ database: String = "postgres", options: String = "") -> String {
        "postgresql:///\(database)?host=\(folder)&port=\(port)&user=quartermaster\(options)"
    }

    /// Over TCP, where the server asks for a password.
    package func urlByTCP(_ database: String = "postgres", password: String = "correct") -> String {
        "postgresql://quartermaster:\(password)@127.0.0.1:\(port)/\(database)"
    }

    /// Makes a database that nobody has used, and returns its name.
    package func newDatabase(like template: String = "template1") throws -> String {
        let name = "ledger\(numbers.add(1, ordering: .relaxed).newValue)"
        try execute("CREATE DATABASE \(name) TEMPLATE \(template)")
        return name
    }

    /// The URL of a database that has the ledger's tables and nothing in them.
    package func newLedger() throws -> String { url(try newDatabase(like: try template.name(on: self))) }

    /// Runs statements outside of any transaction.
    package func execute(_ script: String, in database: String = "postgres") throws {
        let connection = try PostgresConnection(url: url(database), limits: .patient)
        try connection.execute(script, timeout: .seconds(Self.timeout))
    }

    /// Stops the server.
    /// - Parameter crashing: as if its process were killed.
    package func stop(crashing: Bool = false) throws { try ask(crashing ? "immediate" : "fast") }

    /// Starts it again on the same port.
    package func start() throws { try ask("start") }

    // Not by a `Process`: the server would hold the file by which one knows that its own has ended.
    private func ask(_ word: String) throws {
        try lifeline.fileHandleForWriting.write(contentsOf: Data("\(word)\n".utf8))
        guard try Self.line(of: output) == ["done"] else { throw PostgresTools.Missing("the server did not \(word)") }
    }

    /// Without `fsync` and full pages in the log, since it exists for a minute. In memory where there is room for a
    /// thousand databases: to make one there takes an eighth of the time. If a port is taken, it tries another.
    private static let script = """
        trap '' HUP INT TERM
        kilobytes=$(df -kP /dev/shm 2>/dev/null | awk 'NR == 2 { print $4 }')
        if [ "${kilobytes:-0}" -gt 16000000 ]; then base=/dev/shm; else base=/tmp; fi
        cd / && umask 077 && bin=$1 && folder=$(mktemp -d "$base/qpg.XXXXXX") || exit 1
        gone() { "$bin/pg_ctl" -D "$folder/data" -m immediate -w stop; rm -rf "$folder"; }
        exec 3>&1 >"$folder/output" 2>&1
        echo correct >"$folder/password"
        "$bin/initdb" -D "$folder/data" -U quartermaster -E UTF8 --locale=C --no-sync --auth-local=trust \
            --auth-host=scram-sha-256 --pwfile="$folder/password" || { cat "$folder/output" >&2; gone; exit 1; }
        cat >>"$folder/data/postgresql.conf" <<END
        listen_addresses = '127.0.0.1'
        fsync = off
        full_page_writes = off
        max_connections = 2000
        END
        start() { "$bin/pg_ctl" -D "$folder/data" -w -t "$1" -l "$folder/log" -o "-p $port -k $folder" start 3>&-; }
        for try in 1 2 3 4 5; do
            port=$((($$ * 7 + try * 997) % 20000 + 12000))
            start "$2" || continue
            echo "$port $folder" >&3
            while read -r word; do
                case $word in
                start) start "$2" ;;
                *) "$bin/pg_ctl" -D "$folder/data" -m "$word" -w stop 3>&- ;;
                esac && echo done >&3 || echo failed >&3
            done
            gone
            exit
        done
        cat "$folder/output" "$folder/log" >&2
        gone
        exit 1
        """
}
