import CommandLine
package import Content
package import Foundation
import InAppPurchase
package import LedgerSQL
import LedgerSQLite
import QuartermasterServer
import ServerCore
import TestSupport

/// A catalog, a content folder with `hard-words` 1.0.0, and folders to publish; gone after the test.
package final class PublishingServices: Sendable {
    package let folder = FileManager.default.temporaryDirectory.appending(path: "publishing-\(UUID().uuidString)")
    package var content: URL { folder.appending(path: "content") }

    package init() throws {
        try write("old", to: content.appending(path: "hard-words/1.0.0/words.txt"))
        let product = "{\"id\": \"hard\", \"type\": \"non-consumable\", \"bundles\": [\"hard-words\"]}"
        try Data(SampleCatalog.text(product).utf8).write(to: folder.appending(path: "products.json"))
        _ = try ledger()
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func write(_ text: String, to file: URL) throws {
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// A folder with these files, by their paths.
    package func source(_ files: [String: String]) throws -> String {
        let source = folder.appending(path: "source-\(UUID().uuidString)")
        for (path, text) in files { try write(text, to: source.appending(path: path)) }
        return source.path
    }

    package func store() async throws -> FolderRepository { try await FolderRepository(path: content.path, at: Date()) }

    package func newest() async throws -> String? {
        try await store().manifest(of: "hard-words", version: nil)?.version.description
    }

    package func ledger() throws -> SQLLedger {
        try SQLiteLedger.open(path: folder.appending(path: "ledger.sqlite").path, handlers: Server.standardHandlers)
    }

    package func run(_ arguments: [String]) async throws -> Program.Outcome {
        try await run(command: ["bundles"] + arguments)
    }

    /// - Parameter environment: further variables for its process.
    package func run(command: [String], environment: [String: String] = [:]) async throws -> Program.Outcome {
        let (process, output, error) = (try process(command), Pipe(), Pipe())
        process.environment?.merge(environment) { $1 }
        (process.standardOutput, process.standardError) = (output, error)
        try process.run()
        // Nothing here writes more than a pipe holds.
        try await poll("the command ends") { !process.isRunning }
        let texts = try [output, error].map {
            String(decoding: try $0.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        }
        return Program.Outcome(status: process.terminationStatus, output: texts[0], error: texts[1])
    }

    /// The program with its settings, not started yet.
    package func process(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = ServerProcess.executable
        process.arguments = arguments
        process.environment = [
            "QUARTERMASTER_PRODUCTS": folder.appending(path: "products.json").path,
            "QUARTERMASTER_CONTENT": content.path,
            "QUARTERMASTER_CONFIG": "",
            "QUARTERMASTER_DATABASE": folder.appending(path: "ledger.sqlite").path,
        ]
        return process
    }
}
