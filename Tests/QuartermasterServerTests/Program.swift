import Foundation
import InAppPurchase

/// The real program as an operator types it.
enum Program {
    struct Outcome {
        var status: Int32
        var output: String
        var error: String

        var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: Data(output.utf8))) ?? .null }
    }

    static func run(_ arguments: String..., environment: [String: String] = [:]) throws -> Outcome {
        try run(arguments, environment: environment)
    }

    /// What it prints goes through files, which do not fill up as pipes do.
    static func run(
        _ arguments: [String], executable: URL = ServerProcess.executable, environment: [String: String] = [:]
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
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
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
    static func runAndKill(_ arguments: [String], after time: Duration) async throws -> Bool {
        let process = Process()
        (process.executableURL, process.arguments) = (ServerProcess.executable, arguments)
        (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
        try process.run()
        try await Task.sleep(for: time)
        // The number of a process that is not waited for yet is no other's.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        return process.terminationReason == .exit && process.terminationStatus == 0
    }
}
