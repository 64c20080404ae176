import Foundation
import InAppPurchase
import NIOHTTP1
import Testing

extension ServerProcess {
    /// More than the system's buffers hold when the client does not read (4 MiB at the server's end), and no more,
    /// since a server that stops gives a download ten seconds, in which a busy machine has other things to do.
    package static let bigFileSize = 12 << 20

    /// Runs a test with the real program, which serves a bundle with one large file, and sells it.
    package static func run(
        openFiles: Int = 1024, _ body: @Sendable (ServerProcess, SigningAuthority) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        let bundle = folder.appending(path: "content/big/1.0.0")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(repeating: 7, count: bigFileSize).write(to: bundle.appending(path: "big.bin"))
        let big = """
            {"id": "com.example.hangman.big", "type": "non-consumable", "bundles": ["big"]}
            """
        let club = """
            {"id": "com.example.hangman.club.monthly", "type": "auto-renewable", "group": "club"}
            """
        let words = SampleCatalog.words.replacing("hard-words", with: "big")
        try SampleCatalog.text(SampleCatalog.hints, words, big, club)
            .write(to: folder.appending(path: "products.json"), atomically: true, encoding: .utf8)
        let authority = try SigningAuthority(at: Date())
        let root = folder.appending(path: "root.cer")
        try authority.root.write(to: root)
        let server = try await ServerProcess(
            folder: folder, environment: ["QUARTERMASTER_ROOT_CERTIFICATES": root.path], openFiles: openFiles)
        try await server.start()
        do { try await body(server, authority) } catch {
            try? await server.kill()
            throw error
        }
        try await server.kill()
    }

    package func linkToBigFile(_ authority: SigningAuthority) async throws -> String {
        let player = try await newPlayer()
        let words = SigningAuthority.transaction(
            ["productId": .string("\(World.app).big"), "type": "Non-Consumable"], at: Date())
        #expect(try await post(authority.jws(words), token: player.token).status == 200)
        let manifest = try await call(.GET, "/v1/bundles/big", token: player.token).json
        return try #require(manifest["files"][0]["url"].text, "\(manifest)")
    }
}
