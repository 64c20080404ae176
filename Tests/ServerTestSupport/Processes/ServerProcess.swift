import AsyncHTTPClient
package import Foundation
import HTTPTypes
package import InAppPurchase
import NIOCore
package import NIOHTTP1
import ServerHTTP
import TestSupport
import Testing

/// The real program, started, killed and started again on the same ledger.
package actor ServerProcess {
    /// The executable that was built beside the tests.
    package static let executable = ProgramProcess.server
    package static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

    package nonisolated let folder: URL
    package nonisolated let port: Int
    package nonisolated let simulatorPort: Int
    private let process: ProgramProcess

    /// - Parameters:
    ///   - openFiles: the maximum of open files of the program.
    ///   - hasSimulator: whether the simulated App Store runs beside it, which a server with a certificate has not.
    package init(folder: URL, environment: [String: String], openFiles: Int = 1024, hasSimulator: Bool = true)
        async throws
    {
        self.folder = folder
        port = try freePort()
        simulatorPort = try freePort()
        process = ProgramProcess(
            arguments: [
                Self.executable.path,
                "serve", "--port", "\(port)",
                "--database", folder.appending(path: "ledger.sqlite").path,
                "--products", folder.appending(path: "products.json").path,
                "--content", folder.appending(path: "content").path,
            ] + (hasSimulator ? ["--simulator", "--simulator-port", "\(simulatorPort)"] : []),
            environment: ["QUARTERMASTER_LOG_LEVEL": "critical", "QUARTERMASTER_CONFIG": ""]
                .merging(ProgramProcess.patientServer) { $1 }.merging(environment) { $1 },
            openFiles: openFiles)
    }

    /// Starts the program and waits until it serves.
    ///
    /// - Parameter port: its address for metrics, to be asked where the server has a certificate.
    package func start(asking port: Int? = nil) async throws {
        try await process.start()
        try await poll("the server is ready") {
            try #require(await process.isRunning)
            return (try? await self.call(.GET, "/ready", port: port).status) == 200
        }
    }

    /// Ends the program as a power failure would.
    package func kill() async throws { try await process.kill() }

    /// The memory that is its own alone, and not that of files.
    package func heapBytes() async throws -> Int { try await process.heapBytes() }

    /// Asks the program to end.
    package func terminate() async { await process.terminate() }

    /// The exit status, once there is one.
    package func exitStatus() async throws -> Int32 {
        try await poll("the server ends") { await process.exitStatus != nil }
        return try #require(await process.exitStatus)
    }

    /// Closes its idle connections long before the server does: a request on one that the server is closing fails.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration.singletonConfiguration
        configuration.connectionPool.idleTimeout = .seconds(5)
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    package nonisolated func call(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, token: String? = nil, simulator: Bool = false,
        port: Int? = nil
    ) async throws -> Answer {
        let port = port ?? (simulator ? simulatorPort : self.port)
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body { request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body))) }
        let response = try await Self.client.execute(request, timeout: .seconds(180))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Answer(status: Int(response.status.code), headers: [:], bytes: Data(bytes.readableBytesView))
    }

    package nonisolated func post(_ receipt: String, token: String) async throws -> Answer {
        try await call(.POST, "/v1/receipts", ["receipt": .string(receipt)], token: token)
    }

    package func newPlayer() async throws -> Player {
        let answer = try await call(.POST, "/v1/accounts").json
        return Player(
            account: try #require(answer["account"].text), token: try #require(answer["accessToken"].text),
            recoveryCode: "")
    }
}

/// Waits until a condition holds.
/// - Throws: if it does not hold in time.
package func poll(_ what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool)
    async throws
{
    try await eventually(what, isolation: isolation, isSo)
}
