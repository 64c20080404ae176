package import Foundation
package import InAppPurchase
import ServerCore
import TestSupport

/// The real program as an operator types it.
package enum Program {
    package struct Outcome: Sendable {
        package var status: Int32
        package var output: String
        package var error: String

        package init(status: Int32, output: String, error: String) {
            self.status = status
            self.output = output
            self.error = error
        }

        package var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))) ?? .null }
    }

    package static func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Outcome {
        try await run(arguments, environment: environment)
    }

    package static func run(
        _ arguments: [String], executable: URL = ServerProcess.executable, environment: [String: String] = [:],
        in folder: URL? = nil
    ) async throws -> Outcome {
        try await onDedicatedThread {
            try outcome(of: arguments, executable: executable, environment: environment, in: folder)
        }
    }

    /// Its output goes through files, which do not fill up as pipes do.
    private static func outcome(
        of arguments: [String], executable: URL, environment: [String: String], in folder: URL?
    ) throws -> Outcome {
        let prints = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: prints, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: prints) }
        let files = try ["output", "error"].map { name in
            let file = prints.appending(path: name)
            try Data().write(to: file)
            return file
        }
        let process = Process()
        (process.executableURL, process.arguments) = (executable, arguments)
        // Without a folder of its own it has one without a configuration file.
        process.currentDirectoryURL = folder ?? prints
        var inherited = ProcessInfo.processInfo.environment
        // A test that names a folder wants the configuration file in it, which `make test` otherwise switches off.
        if folder != nil { inherited["QUARTERMASTER_CONFIG"] = nil }
        process.environment = inherited.merging(environment) { $1 }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        return Outcome(
            status: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
            error: try String(contentsOf: files[1], encoding: .utf8))
    }

    /// Starts it, and kills it after a while.
    ///
    /// - Returns: whether it was done before.
    fileprivate static func runAndKill(_ arguments: [String], after time: Duration) async throws -> Bool {
        let process = Process()
        (process.executableURL, process.arguments) = (ServerProcess.executable, arguments)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        try await Task.sleep(for: time)
        // The number of a process that is not waited for yet is no other's.
        kill(process.processIdentifier, SIGKILL)
        try await onDedicatedThread { process.waitUntilExit() }
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}

/// Runs a program again and again and kills it at random moments of its run, however busy the machine is.
package struct Killer {
    /// Relative to how long the program takes.
    package let moments: ClosedRange<Double>
    package private(set) var kills = 0
    private var generator: SeededGenerator
    private var whole: Duration

    /// - Parameter whole: how long one run took.
    package init(seed: UInt64, whole: Duration, moments: ClosedRange<Double>) {
        generator = SeededGenerator(seed: seed)
        self.whole = whole
        self.moments = moments
    }

    /// - Returns: whether it was done before it was killed.
    package mutating func run(_ arguments: [String]) async throws -> Bool {
        let time = whole * Double.random(in: moments, using: &generator)
        let isDone = try await Program.runAndKill(arguments, after: time)
        // Beside other tests, the first run may have taken many times as long as the next ones.
        whole = isDone ? min(whole, time) : max(whole, time)
        kills += isDone ? 0 : 1
        return isDone
    }
}
