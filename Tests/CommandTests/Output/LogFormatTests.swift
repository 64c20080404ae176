import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// The form of the log is a setting like any other.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct LogFormatTests {
    /// The first line of the log of a server that does not start, since it has no content.
    private func firstLine(
        _ settings: String, _ flags: [String] = [], _ environment: [String: String] = [:]
    ) async throws -> (line: String, file: String) {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let file = folder.path("settings.json")
        try settings.write(toFile: file, atomically: true, encoding: .utf8)
        let products = folder.path("products.json")
        try #"{"apps": []}"#.write(toFile: products, atomically: true, encoding: .utf8)
        let ended = try await Program.run(
            ["serve", "--config", file, "--database", folder.database, "--products", products]
                + ["--content", folder.path("none")] + flags,
            environment: environment)
        #expect(ended.status == 1, "\(ended)")
        return (String(ended.error.prefix { $0 != "\n" }), file)
    }

    @Test(arguments: [
        (settings: #"{"port": 0, "logFormat": "json"}"#, flags: [String](), environment: [String: String]()),
        (#"{"port": 0}"#, [], ["QUARTERMASTER_LOG_FORMAT": "json"]),
        (#"{"port": 0, "logFormat": "text"}"#, ["--log-format", "json"], [:]),
    ])
    func `The log is JSON where a flag, a variable or the file says so`(
        settings: String, flags: [String], environment: [String: String]
    ) async throws {
        let (line, file) = try await firstLine(settings, flags, environment)
        var members = try JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        #expect(members.removeValue(forKey: "time").flatMap { Date(rfc3339: $0) } != nil, "\(line)")
        #expect(members == ["level": "info", "message": "settings loaded", "file": file])
    }

    @Test func `The log is text by default`() async throws {
        let (line, file) = try await firstLine(#"{"port": 0}"#)
        #expect(line.hasSuffix("Z info settings loaded file=\(file)"), "\(line)")
    }
}
