import AsyncHTTPClient
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import NIOHTTP1
import NIOPosix
import Testing

/// The real program, started, killed and started again on the same ledger.
actor ServerProcess {
    /// The executable that was built beside the tests.
    static let executable = URL(filePath: CommandLine.arguments.first ?? "").deletingLastPathComponent()
        .appending(path: "quartermaster")
    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: executable.path) }

    /// After this a start or an end that is waited for has failed.
    static let patience: TimeInterval = 120

    let folder: URL
    let port: Int
    let simulatorPort: Int
    private let environment: [String: String]
    private let openFiles: Int
    private var process: Process?

    /// - Parameter openFiles: as many as the program may have.
    init(folder: URL, environment: [String: String], openFiles: Int = 1024) async throws {
        self.folder = folder
        self.environment = environment
        self.openFiles = openFiles
        port = try await Self.freePort()
        simulatorPort = try await Self.freePort()
    }

    /// Starts the program and waits until it serves.
    func start() async throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", "ulimit -n \(openFiles); exec \"$0\" \"$@\"", Self.executable.path,
            "serve", "--port", "\(port)", "--simulator", "--simulator-port", "\(simulatorPort)",
            "--database", folder.appending(path: "ledger.sqlite").path,
            "--products", folder.appending(path: "products.json").path,
            "--content", folder.appending(path: "content").path,
        ]
        process.environment = ["QUARTERMASTER_LOG_LEVEL": "critical", "QUARTERMASTER_CONFIG": ""].merging(environment) {
            $1
        }
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        self.process = process
        try await poll("the server is ready") {
            try #require(process.isRunning)
            return (try? await self.call(.GET, "/ready").status) == 200
        }
    }

    /// Ends the program as a power failure would.
    func kill() throws {
        let process = try #require(process)
        // The number of a process that is not waited for yet is no other's.
        Foundation.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// Asks the program to end.
    func terminate() { process?.terminate() }

    /// The exit status, once there is one.
    func exitStatus() async throws -> Int32 {
        let process = try #require(process)
        try await poll("the server ends") { !process.isRunning }
        return process.terminationStatus
    }

    nonisolated func call(
        _ method: HTTPMethod, _ path: String, _ body: JSONValue? = nil, token: String? = nil, simulator: Bool = false
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: "http://127.0.0.1:\(simulator ? simulatorPort : port)\(path)")
        request.method = method
        if let token { request.headers.add(name: "Authorization", value: "Bearer \(token)") }
        if let body { request.body = .bytes(ByteBuffer(bytes: try JSONEncoder().encode(body))) }
        let response = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        let bytes = try await response.body.collect(upTo: 1 << 20)
        return Answer(status: Int(response.status.code), headers: [:], bytes: Data(bytes.readableBytesView))
    }

    nonisolated func post(_ receipt: String, token: String) async throws -> Answer {
        try await call(.POST, "/v1/receipts", ["receipt": .string(receipt)], token: token)
    }

    func newPlayer() async throws -> Player {
        let answer = try await call(.POST, "/v1/accounts").json
        return Player(
            account: try #require(answer["account"].text), token: try #require(answer["accessToken"].text),
            recoveryCode: "")
    }

    private static func freePort() async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(channel.localAddress?.port)
        try await channel.close()
        return port
    }
}

/// Waits until something is so.
/// - Throws: where it is not so in time.
func poll(
    _ what: String, isolation: isolated (any Actor)? = #isolation, _ isSo: () async throws -> Bool
) async throws {
    let deadline = Date() + ServerProcess.patience
    while try await !isSo() {
        try #require(Date() < deadline, "\(what)")
        try await Task.sleep(for: .milliseconds(20))
    }
}
