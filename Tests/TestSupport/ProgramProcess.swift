package import Foundation

/// A program under test in a process of its own: started, killed and started again.
package actor ProgramProcess {
    /// The server that was built beside the tests.
    package static let server = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        .appending(path: "quartermaster")

    /// Settings of a server in tests. A busy machine may keep a client longer from sending than a server waits, which
    /// would close the connection: half a minute between requests, and less for a request's head.
    package static let patientServer = [
        "QUARTERMASTER_LIMITS_HEADER_SECONDS": "240", "QUARTERMASTER_LIMITS_IDLE_SECONDS": "240",
    ]

    /// It was not started, or has ended.
    package struct NotRunning: Error {}

    private let arguments: [String]
    private let environment: [String: String]
    private let openFiles: Int
    private var process: Process?

    /// - Parameters:
    ///   - environment: as the program sees it, and nothing else.
    ///   - openFiles: the maximum of open files of the program.
    package init(arguments: [String], environment: [String: String], openFiles: Int = 1024) {
        self.arguments = arguments
        self.environment = environment
        self.openFiles = openFiles
    }

    package var isRunning: Bool { process?.isRunning == true }

    package func start() throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", "ulimit -n \(openFiles); exec \"$0\" \"$@\""] + arguments
        process.environment = environment
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
    }

    /// Ends the program as a power failure would.
    package func kill() throws {
        guard let process else { throw NotRunning() }
        // The number of a process that is not waited for yet is no other's.
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The memory that is its own alone, and not that of files: `RssAnon` of proc_pid_status(5).
    package func heapBytes() throws -> Int {
        guard let process else { throw NotRunning() }
        let status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
        guard let found = status.firstMatch(of: /RssAnon:\s+(\d+) kB/), let kilobytes = Int(found.1) else {
            throw NotRunning()
        }
        return kilobytes << 10
    }

    /// Asks the program to end.
    package func terminate() { process?.terminate() }

    /// The exit status, or `nil` while it runs.
    package var exitStatus: Int32? { process.flatMap { $0.isRunning ? nil : $0.terminationStatus } }
}
