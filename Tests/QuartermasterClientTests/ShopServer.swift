import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

/// A server and its simulated App Store, as processes: what the client talks to in its tests.
actor ShopServer {
    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: ProgramProcess.server.path) }
    static let app = "com.example.hangman"

    nonisolated let folder: URL
    nonisolated let url: URL
    nonisolated let simulator: URL
    private let process: ProgramProcess
    private var root: String?
    private nonisolated let transport = HTTPTransport(timeouts: .patient)

    /// - Parameters:
    ///   - catalog: what `products.json` has of the app, besides its ID.
    ///   - content: folders with bundles.
    ///   - settings: variables of its environment.
    init(
        catalog: String = ShopServer.catalog, content: URL? = nil, settings: [String: String] = [:]
    ) async throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "qm-shop-\(UUID().uuidString)")
        for bundle in Self.bundles {
            let version = folder.appending(path: "content/\(bundle)/1.0.0")
            try FileManager.default.createDirectory(at: version, withIntermediateDirectories: true)
            try Data("words of \(bundle)".utf8).write(to: version.appending(path: "words.txt"))
        }
        try Data(#"{"apps": [{"bundleID": "\#(Self.app)", \#(catalog)}]}"#.utf8)
            .write(to: folder.appending(path: "products.json"))
        let (port, simulatorPort) = (try freePort(), try freePort())
        url = try #require(URL(string: "http://127.0.0.1:\(port)"))
        simulator = try #require(URL(string: "http://127.0.0.1:\(simulatorPort)"))
        process = ProgramProcess(
            arguments: [
                ProgramProcess.server.path, "serve", "--port", "\(port)", "--simulator",
                "--simulator-port", "\(simulatorPort)",
                "--database", folder.appending(path: "ledger.sqlite").path,
                "--products", folder.appending(path: "products.json").path,
                "--content", (content ?? folder.appending(path: "content")).path,
            ],
            environment: ["QUARTERMASTER_LOG_LEVEL": "critical", "QUARTERMASTER_CONFIG": "", "PATH": "/usr/bin:/bin"]
                .merging(ProgramProcess.patientServer) { $1 }.merging(settings) { $1 })
    }

    /// The products of the tests: one of each type, and what an account starts with.
    static let catalog = """
        "startingCredits": {"hints": 20}, "openBundles": ["open-words"], "products": [
            {"id": "hints", "type": "consumable", "credits": {"hints": 10}},
            {"id": "words", "type": "non-consumable", "bundles": ["hard-words"]},
            {"id": "night", "type": "non-renewing", "duration": "P1M", "bundles": ["night-theme"]},
            {"id": "club", "type": "auto-renewable", "group": "club", "bundles": ["hard-words", "night-theme"],
             "offers": [{"id": "back"}]},
            {"id": "club.gold", "type": "auto-renewable", "group": "club", "bundles": ["hard-words", "night-theme"]}]
        """

    private static let bundles = ["hard-words", "night-theme", "open-words"]

    func start() async throws {
        try await process.start()
        try await eventually("the server is ready") {
            try #require(await process.isRunning)
            return (try? await transport.send(HTTPRequest(url.appending(path: "ready"))).status) == 200
        }
        // It listens by itself, maybe a moment later.
        try await eventually("the simulated App Store answers") { (try? await setProducts()) != nil }
    }

    /// Runs one of the server's commands with its ledger, and returns what it prints.
    nonisolated func command(_ arguments: String...) async throws -> String {
        let (process, output) = (Process(), Pipe())
        process.executableURL = ProgramProcess.server
        process.arguments = arguments
        process.environment = [
            "QUARTERMASTER_CONFIG": "", "QUARTERMASTER_DATABASE": folder.appending(path: "ledger.sqlite").path,
        ]
        process.standardOutput = output
        try process.run()
        let text = try await onDedicatedThread { try output.fileHandleForReading.readToEnd() ?? Data() }
        try await onDedicatedThread { process.waitUntilExit() }
        try #require(process.terminationStatus == 0, "\(arguments)")
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Has a root key, which is made the first time, sign the server's keys. A running server notices in two minutes.
    ///
    /// - Returns: the root's public key, as an app pins it.
    func signKeys() async throws -> String {
        let file = folder.appending(path: "root.pem").path
        if root == nil { root = try await command("keys", "root", "create", "--out", file) }
        // The test's time may be far ahead of the command's.
        _ = try await command("keys", "sign", "--root", file, "--days", "3650", "--quiet")
        return root ?? ""
    }

    func restart() async throws {
        try await kill()
        try await start()
    }

    /// Ends it as a power failure would.
    func kill() async throws { try await process.kill() }

    /// Ends it for good.
    func end() async throws {
        if await process.isRunning { try await process.kill() }
        try FileManager.default.removeItem(at: folder)
    }

    /// Tells the simulator what the App Store would know of the products.
    private func setProducts() async throws {
        let products = [
            ("hints", "consumable"), ("words", "non-consumable"), ("night", "non-renewing"), ("club", "auto-renewable"),
            ("club.gold", "auto-renewable"),
        ]
        let list = products.map {
            #"{"id": "\#($0.0)", "type": "\#($0.1)", "group": "club", "displayName": "The \#($0.0)", "price": 990}"#
        }
        try await simulate(
            "products", method: .put, #"{"bundleID": "\#(Self.app)", "products": [\#(list.joined(separator: ","))]}"#)
    }

    /// Has the simulated App Store, or one of its customers, do something.
    @discardableResult nonisolated func simulate(
        _ path: String, method: HTTPRequest.Method = .post, _ body: String = "{}"
    ) async throws -> JSONValue {
        var request = HTTPRequest(try #require(URL(string: "\(simulator.absoluteString)/simulator/v1/\(path)")))
        request.method = method
        request.headers = ["Content-Type": "application/json"]
        request.body = method == .get ? nil : Data(body.utf8)
        let response = try await transport.send(request)
        try #require(
            response.isSuccess, "\(path): \(response.status) \(String(decoding: response.body, as: UTF8.self))")
        return (try? JSONDecoder().decode(JSONValue.self, from: response.body)) ?? .null
    }

    /// The simulated App Store as a device of a customer reaches it.
    nonisolated func store(
        of customer: String, at address: URL? = nil, environment: StoreEnvironment = .production,
        pollInterval: Duration = .seconds(2)
    ) -> SimulatorSource {
        SimulatorSource(
            API(server: address ?? simulator, transport: HTTPTransport(timeouts: .patient)), bundleID: Self.app,
            customer: customer, device: UUID(), environment: environment, pollInterval: pollInterval)
    }

    /// Lets time pass for the App Store and the server.
    nonisolated func advance(days: Int) async throws {
        try await simulate("clock", #"{"advanceSeconds": \#(days * 86_400)}"#)
    }
}
