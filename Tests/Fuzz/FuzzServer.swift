import Content
import Dispatch
import Foundation
import InAppPurchase
import LedgerSQLite
import Logging
import StrictJSON
import Synchronization

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A server that is assembled and never runs, with the sample shop in this folder: what its fast path needs is in
/// memory.
struct FuzzServer: Sendable {
    static let app = "com.example.hangman"

    let responder: FastResponder
    let refusals: HeadRefusals
    let limits: ConnectionLimits
    let unsent: UnsentBudget
    let clients: ClientAddresses
    /// The kinds of JSON bodies that the routes read.
    let bodies: [any JSONRequestBody.Type]
    /// The path of a file's link, which never expires.
    let link: String

    /// Waits for what is asynchronous: libFuzzer calls from a thread of its own.
    init() throws {
        let result = Mutex<Result<FuzzServer, any Error>?>(nil)
        let isReady = DispatchSemaphore(value: 0)
        Task.detached {
            let server: Result<FuzzServer, any Error>
            do { server = .success(try await FuzzServer.assembled()) } catch { server = .failure(error) }
            result.withLock { $0 = server }
            isReady.signal()
        }
        isReady.wait()
        guard let server = try result.withLock({ $0 })?.get() else { fatalError("nothing was assembled") }
        self = server
    }

    private init(_ routes: Routes, link: String, _ logger: Logger) {
        responder = routes.fastResponder(logger)
        refusals = routes.refusals(logger)
        limits = routes.services.connections
        unsent = routes.services.unsent
        clients = routes.services.clients
        bodies = routes.main.table.routes.compactMap { if case .json(let type) = $0.facts.body { type } else { nil } }
        self.link = link
    }

    private static func assembled() async throws -> FuzzServer {
        var logger = Logger(label: "fuzz")
        logger.logLevel = .critical
        let date = Date()
        let settings = try Settings(await SettingSources(flags: [:], environment: [:], file: nil))
        let assembly = try await Assembly.build(
            settings, handlers: Server.standardHandlers,
            ledger: try SQLiteLedger.inMemory(handlers: Server.standardHandlers), clock: { date },
            random: systemRandomBytes, logger: logger)
        let (routes, services) = (assembly.routes, assembly.routes.services)
        _ = try await services.lists.list(BundleID(stored: app), at: date)
        guard let bundle = services.content.bundles().first,
            let manifest = try await services.content.manifest(of: bundle, version: nil),
            let sha256 = manifest.files.first?.sha256, let location = try await services.content.location(of: sha256)
        else { fatalError("no file in the content folder") }
        await services.cache.insert(Representation(sha256: sha256, variants: []), at: location, date)
        let grant = services.grants.signer.grant(for: sha256, expires: date.addingTimeInterval(1e6), at: date)
        return FuzzServer(routes, link: "\(ContentRoutes.pathBeforeHash)\(sha256)?grant=\(grant)", logger)
    }
}
