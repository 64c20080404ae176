import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A server with the game's own products and content, and its simulated App Store, in a process.
struct GameServer: Sendable {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let folder = FileManager.default.temporaryDirectory.appending(path: "hangman-\(UUID().uuidString)")
    let url: String
    let simulator: String
    private let process: ProgramProcess

    init() async throws {
        let (port, simulatorPort) = (try freePort(), try freePort())
        url = "http://127.0.0.1:\(port)"
        simulator = "http://127.0.0.1:\(simulatorPort)"
        process = ProgramProcess(
            arguments: [
                ProgramProcess.server.path, "serve", "--port", "\(port)", "--simulator", "--simulator-port",
                "\(simulatorPort)", "--database", folder.appending(path: "ledger.sqlite").path,
                "--products", folder.appending(path: "products.json").path,
                "--content", folder.appending(path: "content").path,
            ],
            environment: ["QUARTERMASTER_LOG_LEVEL": "critical", "QUARTERMASTER_CONFIG": "", "PATH": "/usr/bin:/bin"]
                .merging(ProgramProcess.patientServer) { $1 })
        // A copy, because the server writes beside its content.
        try FileManager.default.copyItem(at: Self.project.appending(path: "examples/Hangman/Server"), to: folder)
        try await process.start()
        let ready = try #require(URL(string: "\(url)/ready"))
        try await eventually("the server is ready") {
            try #require(await process.isRunning)
            let answer = try? await URLSession.shared.data(from: ready)
            return (answer?.1 as? HTTPURLResponse)?.statusCode == 200
        }
    }

    /// Ends it as a power failure would.
    func kill() async throws { try await process.kill() }

    /// Ends it for good.
    func end() async throws {
        if await process.isRunning { try await process.kill() }
        try FileManager.default.removeItem(at: folder)
    }
}
