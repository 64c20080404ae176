import Foundation
import Synchronization
import TestSupport
import Testing

/// `hangman --plain` in a process of its own: it gets commands, and answers each with a line.
final class PlainGame: Sendable {
    static let program = ProgramProcess.server.deletingLastPathComponent().appending(path: "hangman")
    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: program.path) }

    private let process: Process
    private let input = Pipe()
    private let text = Mutex(Data())
    private let complaints = Pipe()

    /// - Parameter home: the folder of the device.
    init(_ server: GameServer, home: URL) throws {
        let output = Pipe()
        process = Process()
        process.executableURL = Self.program
        process.arguments = ["--server", server.url, "--simulator", server.simulator, "--home", home.path, "--plain"]
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = input
        process.standardOutput = output
        process.standardError = complaints
        try process.run()
        output.fileHandleForReading.readabilityHandler = { [weak self] handle in
            let bytes = handle.availableData
            if bytes.isEmpty { handle.readabilityHandler = nil }
            self?.text.withLock { $0 += bytes }
        }
    }

    /// Sends it a command.
    ///
    /// - Returns: the line that it answers.
    func ask(_ command: String) async throws -> String {
        try #require(process.isRunning, "\(command)")
        try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
        try await eventually("an answer to \(command)") { text.withLock { $0.contains(Self.newline) } }
        return text.withLock { text in
            let line = text.prefix { $0 != Self.newline }
            text = Data(text.dropFirst(line.count + 1))
            return String(decoding: line, as: UTF8.self)
        }
    }

    private static let newline = UInt8(ascii: "\n")

    /// Sends it a command for which it reaches the server. It waits for that no longer than five seconds, which a busy
    /// machine may need: then it is asked again.
    func askServer(_ command: String) async throws -> String {
        var answer = try await ask(command)
        for _ in 0..<20 where answer.hasSuffix("the server cannot be reached") { answer = try await ask(command) }
        return answer
    }

    /// The answer to `status`.
    func status() async throws -> Reported {
        try JSONDecoder().decode(Reported.self, from: Data(try await ask("status").utf8))
    }

    /// The answer to `status`, as soon as it is so, or the last of many.
    func status(expecting reported: Reported) async throws -> Reported {
        var last = try await status()
        for _ in 0..<20 where last != reported { last = try await status() }
        return last
    }

    /// Sends it the last command, or the end of its input.
    ///
    /// - Returns: its exit status, when it has ended.
    func end(_ command: String? = nil) async throws -> Int32 {
        if let command { try input.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8)) }
        if command == nil { try input.fileHandleForWriting.close() }
        return try await exitStatus()
    }

    /// Its exit status, when it has ended by itself.
    func exitStatus() async throws -> Int32 {
        try await eventually("the game ends") { !process.isRunning }
        return process.terminationStatus
    }

    /// The text of its standard error, once it has ended.
    var complaint: String { String(decoding: complaints.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }

    /// Ends it as a power failure would.
    func kill() {
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// The answer to `status`.
    struct Reported: Decodable, Equatable {
        struct Product: Decodable, Equatable {
            var id: String
            var state: String
        }

        struct Bundle: Decodable, Equatable {
            var bundle: String
            var version: String?
            var installed: Bool
            var update: String?
            var readable: Bool
        }

        var account: String?
        var online: Bool
        var balances: [String: Int]
        var products: [Product]
        var bundles: [Bundle]
    }
}
