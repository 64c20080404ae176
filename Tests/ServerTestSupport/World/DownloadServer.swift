import Content
package import Foundation
import HTTPTypes
import InAppPurchase
package import QuartermasterServer
package import ServerCore
import ServerHTTP
import TestSupport
import Testing

/// A server with files of every size to download, and beside it one that leaves every request to the routes.
package struct DownloadServer: Sendable {
    package let world: World
    /// The port of the server without a fast path.
    package let plainPort: Int
    /// The content folder.
    package let folder: URL

    /// Small enough to be copied behind its head, large enough to be sent by itself, large enough to be kept open
    /// instead of in memory, and neither.
    package static let sizes = [
        "small.txt": 1_000, "large.txt": 300_000, "open.txt": openBytes, "empty.txt": 0, "one.txt": 1,
    ]
    package static let openBytes = 1_200_000

    package static func run(
        products: String? = nil, environment: [String: String] = [:], metrics: ServerMetrics = ServerMetrics(),
        _ test: @escaping @Sendable (DownloadServer) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-content-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.copyItem(atPath: Project.folder("content"), toPath: folder.path)
        let version = folder.appending(path: "downloads/1.0.0")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        for (name, size) in sizes { try bytes(size).write(to: version.appending(path: name)) }
        let variables = environment.merging(["QUARTERMASTER_CONTENT": folder.path]) { $1 }
        try await World.run(products: products, environment: variables, metrics: metrics) { world in
            let plain = world.assembly.routes.listener(
                at: ListenAddress(host: "127.0.0.1", port: 0), logger: World.quiet, isFast: false)
            try await plain.test { server in
                try await test(DownloadServer(world: world, plainPort: try #require(server.port), folder: folder))
            }
        }
    }

    /// Every position is recognizable.
    package static func bytes(_ size: Int) -> Data {
        Data((0..<(size / 8 + 1)).map { String(format: "%07d\n", $0) }.joined().utf8.prefix(size))
    }

    package var routes: Routes { world.assembly.routes }

    /// The address of the file, with a fresh link.
    package func link(_ name: String) throws -> String {
        let sha256 = try sha256(name)
        let expires = GrantSigner.expiry(at: world.clock.now)
        return "/v1/content/\(sha256)?grant="
            + routes.services.grants.signer.grant(for: sha256, expires: expires, at: world.clock.now)
    }

    package func sha256(_ name: String) throws -> String {
        let manifest = try #require(
            (routes.services.content as? FolderRepository)?.manifest(of: "downloads", version: nil))
        return try #require(manifest.files.first { $0.path == name }).sha256
    }

    /// Adds a file in a version of its own.
    ///
    /// - Returns: its place.
    @discardableResult
    package func addFile(_ name: String, _ bytes: Data) async throws -> URL {
        let version = folder.appending(path: "downloads/1.1.0")
        try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
        let file = version.appending(path: name)
        try bytes.write(to: file)
        _ = await (routes.services.content as? FolderRepository)?.refresh(at: world.clock.now)
        return file
    }

    /// Makes everything ready that can be ready.
    package func warmUp() async throws {
        for name in Self.sizes.keys { #expect(try await world.call(.get, try link(name)).status == 200) }
        #expect(try await world.call(.get, "/v1/apps/\(World.app)/products").status == 200)
    }

    /// The responses of the server, and of the one without a fast path, to the same bytes on a connection.
    package func both(_ text: String) async throws -> (fast: String, plain: String) {
        async let fast = RawConnection.exchange(text, port: world.port)
        async let plain = RawConnection.exchange(text, port: plainPort)
        return (try await fast.withoutNames, try await plain.withoutNames)
    }
}

extension String {
    /// Without what differs from answer to answer: the time and the request's ID, if they are well-formed.
    package var withoutNames: String {
        // Line by line: to search a megabyte of body with a regular expression takes long.
        components(separatedBy: "\r\n").map { line in
            if line.hasPrefix("Date: "), line.wholeMatch(of: Self.dateLine) != nil { return "Date: now" }
            if line.hasPrefix("X-Request-Id: "), line.wholeMatch(of: Self.idLine) != nil { return "X-Request-Id: id" }
            return line
        }.joined(separator: "\r\n")
    }

    private static var dateLine: Regex<Substring> {
        /Date: (?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} 20\d\d \d\d:\d\d:\d\d GMT/
    }

    private static var idLine: Regex<Substring> { /X-Request-Id: [0-9a-f]{17,32}/ }
}
