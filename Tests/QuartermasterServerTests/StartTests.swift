import Foundation
import ServerTestSupport
import Testing

@testable import CommandLine

/// The message of a server that cannot start.
@Suite(.enabled(if: ServerProcess.isBuilt, "The program quartermaster is not built beside the tests."))
struct StartTests {
    /// Everything opened before is closed: an HTTP client that is not closed ends the process with a trap.
    @Test func `A checkpoint file that cannot be written stops the start`() async throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let flags = ["--products", Project.folder("products.json"), "--content", Project.folder("content")]
        let outcome = try await Program.run(
            ["serve", "--port", "0", "--database", folder.path("ledger.sqlite")] + flags,
            environment: ["QUARTERMASTER_CHECKPOINTS": folder.path("no/folder/c.jsonl")])
        #expect(outcome.status == 1 && outcome.error.contains("Error: checkpoints: "), "\(outcome)")
    }
}
