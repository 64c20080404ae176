import Foundation
import Testing

/// The guide's own server, run as its operator runs it.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: program("gazette").path))) struct CustomServerTests {
    /// Both outputs of checking the guide's catalog, together, and its exit status.
    private func check(by name: String) throws -> (status: Int32, text: String) {
        let content = FileManager.default.temporaryDirectory.appending(path: "gazette-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: content) }
        let issue = content.appending(path: "issue-1/1.0.0")
        try FileManager.default.createDirectory(at: issue, withIntermediateDirectories: true)
        try Data("news".utf8).write(to: issue.appending(path: "issue.txt"))
        let catalog = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "FreeSubscriptionServer/products.json")
        let (process, output) = (Process(), Pipe())
        process.executableURL = program(name)
        process.arguments = ["products", "check", "--products", catalog.path, "--content", content.path]
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: text, as: UTF8.self))
    }

    @Test func `The server of the guide reads a catalog with its own product type`() throws {
        let (status, text) = try check(by: "gazette")
        #expect(status == 0 && text.hasPrefix("2 products of 1 app, revision "), "\(text)")
    }

    @Test func `The ordinary server refuses a catalog with the product type of the guide`() throws {
        let (status, text) = try check(by: "quartermaster")
        #expect(status == 1 && text.contains("apps[0].products[0].type: no handler for \"free-subscription\""))
    }
}

/// An executable that was built beside the tests.
private func program(_ name: String) -> URL {
    URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent().appending(path: name)
}
