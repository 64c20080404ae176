import AsyncHTTPClient
import Foundation
import HTTPTypes
import InAppPurchase
import LedgerSQLite
import Logging
import NIOCore
import NIOHTTP1
import ServerTestSupport
import Testing

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The callers of the simulated store: no page in a browser that belongs to somebody else.
@Suite struct SimulatorCallerTests {
    static let routes: [(HTTPMethod, String)] = [
        (.GET, "/simulator/v1/root.cer"), (.POST, "/simulator/v1/purchases"), (.POST, "/production/verifyReceipt"),
        (.GET, "/nothing"),
    ]

    /// Headers of a page elsewhere, or of a name that was pointed at this machine (DNS rebinding); nil: no `Origin`.
    static let table: [(host: String, origin: String?, isLetIn: Bool)] = [
        ("localhost:8090", nil, true), ("LOCALHOST", nil, true), ("store.localhost:8090", nil, true),
        ("127.0.0.1:8090", nil, true), ("127.9.9.9", nil, true), ("[::1]:8090", nil, true), ("[::1]", nil, true),
        ("[::ffff:127.0.0.1]:80", nil, true),
        ("evil.example", nil, false), ("evil.example:8090", nil, false), ("localhost.evil.example", nil, false),
        ("notlocalhost", nil, false), ("127.0.0.1.evil.example", nil, false), ("192.0.2.1:8090", nil, false),
        ("0.0.0.0:8090", nil, false), ("[2001:db8::1]:8090", nil, false), ("", nil, false), (":8090", nil, false),
        ("localhost:8090", "http://localhost:8090", true), ("localhost:8090", "HTTP://LOCALHOST:8090", true),
        ("localhost:8090", "http://evil.example", false), ("localhost:8090", "http://localhost:3000", false),
        ("localhost:8090", "https://localhost:8090", false), ("localhost:8090", "null", false),
        ("localhost:8090", "", false), ("127.0.0.1:8090", "http://localhost:8090", false),
    ]

    @Test func `Callers from other sites are refused on every route of the simulator`() async throws {
        try await World.run { world in
            let port = try #require(world.store.port)
            for (host, origin, isLetIn) in Self.table {
                for (method, path) in Self.routes {
                    var request = HTTPClientRequest(url: "http://127.0.0.1:\(port)\(path)")
                    request.method = method
                    request.headers.add(name: "Host", value: host)
                    if let origin { request.headers.add(name: "Origin", value: origin) }
                    if method == .POST { request.body = .bytes(ByteBuffer(string: "{}")) }
                    let response = try await HTTPClient.shared.execute(request, timeout: .seconds(120))
                    _ = try await response.body.collect(upTo: 1 << 20)
                    let isRefused = response.status == .forbidden
                    #expect(isRefused != isLetIn, "\(method) \(path) \(host) \(origin ?? "-"): \(response.status)")
                }
            }
        }
    }

    /// Addresses of this machine, by which others on its network call it, and names that the operator gave.
    @Test func `Calls by the machine's own addresses and given names are accepted`() async throws {
        let own = try System.enumerateDevices().compactMap { $0.address }.filter { $0.protocol == .inet }
            .compactMap(\.ipAddress)
        try #require(!own.isEmpty)
        let folder = try LedgerFolder()
        defer { folder.leave() }
        let server = try await ServerProcess(
            folder: folder.folder, environment: ["QUARTERMASTER_SIMULATOR_HOST": "Store.Example,other.example"])
        try Project.products.write(toFile: folder.path("products.json"), atomically: true, encoding: .utf8)
        try FileManager.default.copyItem(atPath: Project.folder("content"), toPath: folder.path("content"))
        try await server.start()
        var statuses: [String: UInt] = [:]
        for host in own + ["store.example:8090", "OTHER.example", "third.example"] {
            var request = HTTPClientRequest(url: "http://127.0.0.1:\(server.simulatorPort)/simulator/v1/root.cer")
            request.headers.add(name: "Host", value: host)
            statuses[host] = try? await HTTPClient.shared.execute(request, timeout: .seconds(120)).status.code
        }
        try await server.kill()
        #expect(statuses.filter { $0.value == 200 }.count == own.count + 2, "\(statuses)")
        #expect(statuses["third.example"] == 403)
    }

    /// Simulated purchases cost nothing; whoever serves them by mistake should read it in the log.
    @Test func `The server warns of the simulated App Store at the start`() async throws {
        for isSimulator in [true, false] {
            let recorder = LogRecorder()
            let settings = try await Settings.read([
                "QUARTERMASTER_SIMULATOR": "\(isSimulator)", "QUARTERMASTER_SIMULATOR_PORT": "0",
                "QUARTERMASTER_PRODUCTS": Project.folder("products.json"),
                "QUARTERMASTER_CONTENT": Project.folder("content"),
            ])
            let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
            let assembly = try await Assembly.build(
                settings, handlers: Server.standardHandlers, ledger: ledger, clock: { World.start },
                random: systemRandomBytes, logger: recorder.logger(.warning))
            for service in assembly.services { try await (service as? HTTPClientService)?.close() }
            let warnings = recorder.lines.filter { $0.contains("simulated App Store") }
            #expect(warnings.count == (isSimulator ? 1 : 0), "\(recorder.lines)")
        }
    }
}
