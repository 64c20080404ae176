import AppStoreService
import AppStoreSimulator
import AsyncHTTPClient
import CommandLine
package import Foundation
package import HTTPTypes
import Hummingbird
import HummingbirdTesting
package import InAppPurchase
package import Ledger
import LedgerSQL
import LedgerSQLite
package import Logging
import NIOCore
package import QuartermasterServer
package import ServerCore
import ServerHTTP
import Synchronization
import Testing

/// A time that stands still until a test moves it.
package final class TestClock: Sendable {
    private let date: Mutex<Date>

    package init(_ date: Date) { self.date = Mutex(date) }

    package var now: Date { date.withLock { $0 } }

    package func advance(by seconds: TimeInterval) { date.withLock { $0 += seconds } }
}

/// A server with its own ledger, catalog and content, and a simulated App Store beside it, both on real sockets.
package struct World: Sendable {
    package static let app = "com.example.hangman"
    /// The app's number in the App Store, as the project's own catalog has it.
    package static let appAppleID = 1_234_567_890
    package static let start = Date(timeIntervalSince1970: 1_795_000_000)

    package let assembly: Assembly
    package let ledger: any Ledger
    package let clock: TestClock
    package let folder: URL
    package let server: PatientClient
    package let store: PatientClient

    package init(
        assembly: Assembly, ledger: any Ledger, clock: TestClock, folder: URL, server: PatientClient,
        store: PatientClient
    ) {
        self.assembly = assembly
        self.ledger = ledger
        self.clock = clock
        self.folder = folder
        self.server = server
        self.store = store
    }

    package var port: Int? { server.port }

    /// Runs a test in a world of its own.
    ///
    /// - Parameters:
    ///   - products: the text of `products.json`; without it, the project's own.
    ///   - ledger: where the server records; by default in memory.
    ///   - environment: variables of the server's process.
    ///   - roots: certificates in DER that are trusted like the simulator's.
    ///   - hasSimulatorPages: whether the pages for administrators have that of the simulated App Store.
    ///   - hasServerKey: whether the app has a key for the App Store Server API.
    ///   - logger: the server's.
    ///   - metrics: the server's; a ledger in memory reports its commits to it.
    ///   - handlers: those of the server's executable.
    package static func run(
        products: String? = nil, ledger: (any Ledger)? = nil, environment: [String: String] = [:],
        roots: [Data] = [], hasServerKey: Bool = false, hasSimulatorPages: Bool = false, logger: Logger = quiet,
        metrics: ServerMetrics = ServerMetrics(), at date: Date = start,
        handlers: [any ProductHandler.Type] = Server.standardHandlers,
        _ test: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let clock = TestClock(date)
        let ledger = try ledger ?? SQLiteLedger.inMemory(handlers: handlers, onCommit: metrics.committed)
        let storeBook = try SQLiteLedger.inMemory(handlers: [])
        if date == start { try await storeBook.set(storeKeys.value) }
        let simulator = try await AppStoreSimulator.open(
            storeBook, appAppleID: { _ in Self.appAppleID }, clock: { clock.now })
        let catalog = folder.appending(path: "products.json")
        try (products ?? Project.products).write(to: catalog, atomically: true, encoding: .utf8)
        let storeRoots = [simulator.rootCertificate, simulator.receiptRootCertificate].map { Data($0) }
        let certificates = try (storeRoots + roots).enumerated().map { place, root in
            let file = folder.appending(path: "root-\(place).cer")
            try root.write(to: file)
            return file.path
        }
        let storeApplication = simulator.buildApplication(host: "127.0.0.1", port: 0, logger: quiet)
        try await storeApplication.test(.ahc(.http)) { store in
            let address = "http://localhost:\(store.port ?? 0)"
            let key = hasServerKey ? try await simulator.keyVariables(in: folder) : [:]
            // Most tests are about receipts that the store is asked about.
            let variables = [
                "QUARTERMASTER_APP_RECEIPTS": "verifyReceipt",
                "QUARTERMASTER_LIMITS_HEADER_SECONDS": "\(RawConnection.idleSeconds)",
                "QUARTERMASTER_LIMITS_IDLE_SECONDS": "\(RawConnection.idleSeconds)",
                "QUARTERMASTER_SERVER_API_PRODUCTION": address + "/production",
                "QUARTERMASTER_SERVER_API_SANDBOX": address + "/sandbox",
                "QUARTERMASTER_CHECKPOINTS": folder.appending(path: "checkpoints.jsonl").path,
                "QUARTERMASTER_PRODUCTS": catalog.path, "QUARTERMASTER_CONTENT": Project.folder("content"),
                "QUARTERMASTER_ROOT_CERTIFICATES": certificates.joined(separator: ","),
                "QUARTERMASTER_VERIFY_RECEIPT_PRODUCTION": address + "/production/verifyReceipt",
                "QUARTERMASTER_VERIFY_RECEIPT_SANDBOX": address + "/sandbox/verifyReceipt",
            ].merging(key) { $1 }.merging(environment) { $1 }
            let settings = try Settings(await SettingSources(flags: [:], environment: variables, file: nil))
            let assembly = try await Assembly.build(
                settings, handlers: handlers, ledger: ledger, clock: { clock.now },
                random: systemRandomBytes, logger: logger, metrics: metrics,
                simulatorAddress: hasSimulatorPages ? address : nil)
            try await assembly.whileConnected {
                try await assembly.listener.test { server in
                    try await test(
                        World(
                            assembly: assembly, ledger: ledger, clock: clock, folder: folder, server: server,
                            store: PatientClient(port: store.port)))
                }
            }
        }
    }

    /// The simulated store's keys as of ``start``; an RSA key takes longer to make than a whole test.
    private static let storeKeys = Task {
        let ledger = try SQLiteLedger.inMemory(handlers: [])
        _ = try await AppStoreSimulator.open(ledger, clock: { start })
        return try await ledger.values(withPrefix: "")
    }

    package static let quiet: Logger = {
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        return logger
    }()
}

extension AppStoreSimulator {
    /// The settings with which a server calls the store's API for the app.
    fileprivate func keyVariables(in folder: URL) async throws -> [String: String] {
        let key = try await apiKey(for: BundleID(stored: World.app))
        let file = folder.appending(path: "key.p8")
        try key.privateKey.write(to: file, atomically: true, encoding: .utf8)
        let app = "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN"
        return [
            "\(app)_ISSUER_ID": key.issuerID, "\(app)_KEY_ID": key.keyID, "\(app)_PRIVATE_KEY_FILE": file.path,
        ]
    }
}

extension Assembly {
    /// The HTTP client to the store must be shut down when the test is over.
    fileprivate func whileConnected(_ body: () async throws -> Void) async throws {
        let http = services.compactMap { $0 as? HTTPClientService }.first
        do {
            try await body()
            try await http?.client.shutdown()
        } catch {
            try await http?.client.shutdown()
            throw error
        }
    }
}

/// The checkout the tests run in.
package enum Project {
    package static func folder(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: name).path
    }

    package static var products: String {
        (try? String(contentsOfFile: folder("products.json"), encoding: .utf8)) ?? ""
    }
}

/// An answer, its body read as JSON.
package struct Answer: CustomStringConvertible {
    package var status: Int
    package var headers: HTTPFields
    package var bytes: Data

    package init(status: Int, headers: HTTPFields, bytes: Data) {
        self.status = status
        self.headers = headers
        self.bytes = bytes
    }

    package var json: JSONValue { (try? JSONDecoder().decode(JSONValue.self, from: bytes)) ?? .null }

    package var description: String { "\(status) \(String(decoding: bytes.prefix(600), as: UTF8.self))" }
}

extension JSONValue {
    package subscript(_ member: String) -> JSONValue {
        if case .object(let members) = self { members[member] ?? .null } else { .null }
    }

    package subscript(_ position: Int) -> JSONValue { array.indices.contains(position) ? array[position] : .null }

    package var array: [JSONValue] { if case .array(let values) = self { values } else { [] } }

    package var text: String? { if case .string(let text) = self { text } else { nil } }

    package var number: Int? { if case .integer(let number) = self { number } else { nil } }

    package var flag: Bool? { if case .bool(let flag) = self { flag } else { nil } }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(integerLiteral value: Int) { self = .integer(value) }
    package init(booleanLiteral value: Bool) { self = .bool(value) }
    package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
    package init(dictionaryLiteral elements: (String, JSONValue)...) { self = .object(Dictionary(elements) { $1 }) }
    package init(nilLiteral: ()) { self = .null }
}
