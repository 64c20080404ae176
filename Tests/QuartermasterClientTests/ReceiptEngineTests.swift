import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite("Receipts on their way to the server", .enabled(if: ShopServer.isBuilt)) struct ReceiptEngineTests {
    private static func engine(
        _ server: ShopServer, customer: String, folder: URL, at address: URL? = nil, appVersion: String = "1.0",
        clock given: ClientClock? = nil, limit: Int = ReceiptLimits.queue
    ) -> ReceiptEngine {
        var clock = given ?? .system
        if given == nil { shorten(&clock) }
        let api = API(server: address ?? server.url, transport: HTTPTransport(timeouts: .patient))
        let session = AccountSession(
            api: api, credentials: FileCredentials(folder.appending(path: "account.json")), bundleID: ShopServer.app,
            folder: folder, makeKey: { UUID().uuidString })
        return ReceiptEngine(
            session: session, source: server.store(of: customer),
            configuration: Quartermaster.Configuration(
                server: address ?? server.url, bundleID: ShopServer.app, folder: folder, appVersion: appVersion,
                clock: clock), limit: limit)
    }

    /// A purchase in the simulated App Store.
    private static func sale(of product: String, type: String? = nil, _ server: ShopServer) async throws -> JSONValue {
        let type = type.map { #", "type": "\#($0)""# } ?? ""
        return try await server.simulate(
            "purchases", #"{"bundleID": "\#(ShopServer.app)", "productID": "\#(product)", "customer": "ada"\#(type)}"#)
    }

    private static func transaction(_ sale: JSONValue) throws -> SignedTransaction {
        let jws = try #require(sale["signedTransaction"]?.text)
        return try #require(SignedTransaction(simulated: jws))
    }

    /// A purchase in the form that only the App Store can judge.
    private static func oldReceipt(of product: String, _ server: ShopServer) async throws -> SignedTransaction {
        let sale = try await sale(of: product, server)
        var transaction = try transaction(sale)
        transaction.jws = try #require(sale["transactionReceipt"]?.text)
        return transaction
    }

    private static func unfinished(_ server: ShopServer) async throws -> JSONValue? {
        try await server.simulate("customers/ada/transactions?bundleID=\(ShopServer.app)", method: .get)["unfinished"]
    }

    private static func shorten(_ clock: inout ClientClock) {
        // Waits are short, so that the test is: how long they would be says Backoff.
        clock.sleep = { _ in try await Task.sleep(for: .milliseconds(50)) }
        let start = ContinuousClock.now
        clock.uptime = { (ContinuousClock.now - start) * 1_000 }
    }

    private static let tooLargeBody = Data(#"{"status": 413, "code": "receipt_too_large"}"#.utf8)

    private static func folder() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "qm-receipts-\(UUID().uuidString)")
    }

    @Test
    func `A receipt that waits for the App Store is kept, asked about, and finished once verified`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder)
        let transaction = try await Self.oldReceipt(of: "words", server)
        try await server.simulate("faults", #"{"http": 503}"#)
        let outcome = await engine.submit(transaction)
        guard case .waiting = outcome.result, case .look = outcome.next else {
            Issue.record("\(outcome)")
            return
        }
        #expect(outcome.finished.isEmpty)
        #expect(await engine.waiting == [transaction])

        // The app ends, and another process goes on.
        let next = Self.engine(server, customer: "ada", folder: folder)
        #expect(await next.waiting == [transaction])
        let running = Task { await next.run() }
        try await server.simulate("faults", method: .delete)
        // Until the server asks the App Store again.
        try await eventually("the receipt is finished") {
            try await server.simulate("clock", #"{"advanceSeconds": 60}"#)
            return await next.waiting.isEmpty
        }
        running.cancel()
        #expect(try await Self.unfinished(server) == .number(0))
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A receipt that is too large is kept, and not sent again by the same version of the app`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder)
        let huge = SignedTransaction(id: "7", productID: "words", jws: String(repeating: "A", count: 4 << 20))
        #expect(await engine.submit(huge).next == .tooLarge)
        #expect(await engine.isQueued("7"))
        #expect(await engine.waiting.isEmpty)
        await engine.enqueue(huge)
        #expect(await engine.waiting.isEmpty)
        #expect(await Self.engine(server, customer: "ada", folder: folder).waiting.isEmpty)
        #expect(await Self.engine(server, customer: "ada", folder: folder, appVersion: "1.1").waiting == [huge])
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    @Test
    func `A purchase that the server finds too large is denied, and not sent again if bought again`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        proxy.decide { request in
            // The store's history is sent once an install, and is as large.
            let isReceipt = request.path == "/v1/receipts" || request.path == "/v1/restore"
            return isReceipt ? .answer(status: 413, body: Self.tooLargeBody) : .forward
        }
        let phone = try await Device(server, customer: "ada", folder: Self.folder(), at: proxy.url)
        let denied = PurchaseResult.denied(reason: "receipt_too_large", remedy: nil)
        #expect(try await phone.shop.buy("words") == denied)
        #expect(proxy.exchanges.contains { $0.request.path == "/v1/receipts" })
        // The source may have brought the sale before the purchase returned, and a busy machine given its request up.
        try await proxy.waitUntilIdle()
        let sent = proxy.exchanges.count { $0.request.path == "/v1/receipts" }
        let transaction = try #require(try await phone.source.history().first)
        // The store sells a second time what it has sold, as the same transaction.
        #expect(await phone.shop.engine.submit(transaction).result == denied)
        await phone.shop.resume()
        #expect(await phone.shop.engine.submit(transaction).result == denied)
        #expect(proxy.exchanges.count { $0.request.path == "/v1/receipts" } == sent)
        #expect(await phone.shop.engine.isQueued(transaction.id))
        #expect(try await Self.unfinished(server) == .number(1))
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test
    func `A transaction that the store signs again is sent once; one refunded meanwhile replaces it`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder)
        let bought = try Self.transaction(try await Self.sale(of: "words", server))
        await engine.enqueue(bought)
        let again = try await Self.signedAgain(server)
        #expect(again.jws != bought.jws)
        await engine.enqueue(again)
        #expect(await engine.waiting == [bought])
        try await server.simulate("transactions/\(bought.id)/refund")
        let refunded = try await Self.signedAgain(server)
        await engine.enqueue(refunded)
        #expect(await engine.waiting == [refunded])
        try await server.end()
    }

    /// As when the store's updates bring a sale before the purchase has returned: each copy is made for the device.
    @Test func `A transaction handed over again while it is sent is sent once, also if it is too large`() async throws {
        let (server, proxy, callers) = try await Self.holdingReceipts(untilCallers: 2)
        proxy.decide { $0.path == "/v1/receipts" ? .answer(status: 413, body: Self.tooLargeBody) : .forward }
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder, at: proxy.url)
        _ = try await Self.sale(of: "words", server)
        let source = server.store(of: "ada")
        let copies = try await [source.history(), source.history(), source.history()].flatMap(\.self)
        #expect(Set(copies.map(\.jws)).count == 3)
        async let first = engine.submit(copies[0])
        try await eventually("the first copy is on disk") { await engine.isQueued(copies[0].id) }
        await engine.enqueue(copies[1])
        callers.begun.store(2, ordering: .relaxed)
        #expect(await first.next == .tooLarge)
        #expect(await engine.waiting.isEmpty)
        #expect(await engine.submit(copies[2]).next == .tooLarge)
        #expect(proxy.exchanges.count { $0.request.path == "/v1/receipts" } == 1)
        try await proxy.stop()
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    /// The only transaction of the customer, as the store hands it over now.
    private static func signedAgain(_ server: ShopServer) async throws -> SignedTransaction {
        // Signatures differ by themselves, dates do by time.
        try await server.simulate("clock", #"{"advanceSeconds": 1}"#)
        let list = try await server.simulate(
            "customers/ada/transactions?bundleID=\(ShopServer.app)", method: .get)["transactions"]
        guard case .array(let all) = list else { throw ConnectionError.unreachable }
        let jws = try #require(all.first?.text)
        return try #require(SignedTransaction(simulated: jws))
    }

    @Test
    func `A purchase made while the queue is full waits unfinished, and is sent when there is room`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder, limit: 1)
        let first = try await Self.oldReceipt(of: "words", server)
        try await server.simulate("faults", #"{"http": 503}"#)
        _ = await engine.submit(first)
        let second = try Self.transaction(try await Self.sale(of: "hints", server))
        #expect(await engine.submit(second) == .later)
        // There is an end to what waits in memory, too.
        #expect(await engine.submit(SignedTransaction(id: "3", productID: "words", jws: "a.b.c")) == .later)
        #expect(await engine.waiting == [first, second].sorted { $0.id < $1.id })
        #expect(await !engine.isQueued(second.id))
        #expect(try await Self.unfinished(server) == .number(2))

        let running = Task { await engine.run() }
        try await server.simulate("faults", method: .delete)
        try await eventually("both are finished") {
            try await server.simulate("clock", #"{"advanceSeconds": 60}"#)
            return await engine.waiting.isEmpty
        }
        running.cancel()
        #expect(try await Self.unfinished(server) == .number(0))
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `While the disk cannot be read purchases wait in memory, and what is on it is not lost`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let first = try await Self.oldReceipt(of: "words", server)
        try await server.simulate("faults", #"{"http": 503}"#)
        _ = await Self.engine(server, customer: "ada", folder: folder).submit(first)
        let (file, away) = (folder.appending(path: "receipts.json"), folder.appending(path: "away"))
        try FileManager.default.moveItem(at: file, to: away)
        // A link to itself: reading it fails, and writing over it would not.
        try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "receipts.json")

        let engine = Self.engine(server, customer: "ada", folder: folder)
        let second = try Self.transaction(try await Self.sale(of: "hints", server))
        #expect(await engine.submit(second) == .later)
        #expect(await engine.waiting == [second])
        #expect(await !engine.isQueued(second.id))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == "receipts.json")

        let running = Task { await engine.run() }
        try FileManager.default.removeItem(at: file)
        try FileManager.default.moveItem(at: away, to: file)
        try await server.simulate("faults", method: .delete)
        try await eventually("both are finished") {
            try await server.simulate("clock", #"{"advanceSeconds": 60}"#)
            guard await engine.waiting.isEmpty else { return false }
            return try await Self.unfinished(server) == .number(0)
        }
        running.cancel()
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A denied receipt makes room for a purchase in a full queue`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder, limit: 1)
        let denied = try Self.transaction(try await Self.sale(of: "unheard-of", type: "consumable", server))
        #expect(await engine.submit(denied).next == .keep)
        #expect(await engine.isQueued(denied.id))
        let bought = try Self.transaction(try await Self.sale(of: "hints", server))
        #expect(await engine.submit(bought).result == .delivered)
        #expect(try await Self.unfinished(server) == .number(1))
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    /// Bytes that cannot be read today cannot be read in a minute either; a later version of the server may read them.
    @Test
    func `A receipt that the server cannot read is kept, and sent again at most once a launch and day`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let folder = Self.folder()
        func sent() -> Int { proxy.exchanges.count { $0.request.path == "/v1/receipts" } }
        func engine(after seconds: TimeInterval) -> ReceiptEngine {
            var clock = ClientClock.system
            clock.now = { Date() + seconds }
            return Self.engine(server, customer: "ada", folder: folder, at: proxy.url, clock: clock)
        }
        let nonsense = SignedTransaction(id: "7", productID: "words", jws: "no receipt")
        let first = engine(after: 0)
        #expect(await first.submit(nonsense).next == .refused)
        #expect(await first.isQueued("7"))
        // The store hands it over again: nothing happens before the next launch, and then not on the same day.
        await first.enqueue(nonsense)
        #expect(await first.waiting.isEmpty)
        await first.retryNow()
        let second = engine(after: 3_600)
        await second.enqueue(nonsense)
        #expect(await second.waiting.isEmpty && sent() == 1)
        // The player tries again.
        #expect(await second.submit(nonsense).next == .refused)
        #expect(sent() == 2)
        #expect(await engine(after: 86_400).waiting.isEmpty)
        #expect(await engine(after: 3_600 + 86_401).waiting == [nonsense])
        // The player's clock was ahead.
        #expect(await engine(after: -10 * 86_400).waiting == [nonsense])
        try await proxy.stop()
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    @Test func `A receipt that the server denied is not sent again before the next launch`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder)
        let denied = try Self.transaction(try await Self.sale(of: "unheard-of", type: "consumable", server))
        #expect(await engine.submit(denied).next == .keep)
        await engine.enqueue(denied)
        #expect(await engine.waiting.isEmpty)
        #expect(await Self.engine(server, customer: "ada", folder: folder).waiting == [denied])
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }

    @Test
    func `Without the server the engine waits once between two tries, and wakes for a new purchase`() async throws {
        let server = try await ShopServer()
        let folder = Self.folder()
        let started = Atomic(0)
        let over = Atomic(0)
        var clock = ClientClock.system
        clock.uptime = { .seconds(1_000 * over.load(ordering: .relaxed)) }
        clock.sleep = { _ in
            // The sixth wait and later ones end only before their time.
            if started.add(1, ordering: .relaxed).newValue > 5 { try await Task.sleep(for: .seconds(86_400)) }
            over.add(1, ordering: .relaxed)
        }
        let engine = Self.engine(server, customer: "ada", folder: folder, clock: clock)
        await engine.enqueue(SignedTransaction(id: "1", productID: "words", jws: "a.b.c"))
        let running = Task { await engine.run() }
        try await eventually("it waits for the sixth time") { started.load(ordering: .relaxed) >= 6 }
        #expect(over.load(ordering: .relaxed) == 5)
        await engine.enqueue(SignedTransaction(id: "2", productID: "words", jws: "a.b.c"))
        try await eventually("it has tried, and waits again") { started.load(ordering: .relaxed) >= 7 }
        running.cancel()
        await running.value
        // What is bought meanwhile ends one wait before its time, and is followed by one other.
        #expect(started.load(ordering: .relaxed) == 7)
        #expect(over.load(ordering: .relaxed) == 5)
        #expect(await engine.waiting.map(\.id) == ["1", "2"])
        try FileManager.default.removeItem(at: folder)
    }

    private final class Callers: Sendable {
        let begun = Atomic(0)
    }

    /// A server behind a proxy that holds receipts until so many callers have begun.
    private static func holdingReceipts(
        untilCallers count: Int
    ) async throws -> (server: ShopServer, proxy: DownloadProxy, callers: Callers) {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        let callers = Callers()
        proxy.hold { request in
            guard request.path == "/v1/receipts" else { return }
            try? await eventually("\(count) have come") { callers.begun.load(ordering: .relaxed) == count }
        }
        return (server, proxy, callers)
    }

    @Test func `A transaction that is submitted many times at once is sent in one request`() async throws {
        let (server, proxy, callers) = try await Self.holdingReceipts(untilCallers: 20)
        let folder = Self.folder()
        let engine = Self.engine(server, customer: "ada", folder: folder, at: proxy.url)
        let transaction = try Self.transaction(try await Self.sale(of: "hints", server))
        let results = await withTaskGroup(of: PurchaseResult.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    callers.begun.add(1, ordering: .relaxed)
                    return await engine.submit(transaction).result
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        // Those who ask while it is on its way get its answer; a request of their own would be answered as delivered
        // before.
        #expect(results.count == 20 && results.allSatisfy { $0 == .delivered || $0 == .alreadyDelivered })
        #expect(results.count { $0 == .delivered } > 1)
        #expect(await !engine.isQueued(transaction.id))
        try await proxy.stop()
        try await server.end()
        try FileManager.default.removeItem(at: folder)
    }
}
