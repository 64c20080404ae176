import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

/// A server with everything that leads to the rows of the errors page.
actor FinishStage {
    /// A transaction on its way, and its customer.
    struct Sent {
        var transaction: SignedTransaction
        var engine: ReceiptEngine
        var customer = ""
        /// Whether the simulated App Store knows the transaction.
        var isOfStore = true
    }

    typealias Play = @Sendable (FinishStage) async throws -> Sent

    private let server: ShopServer
    private let otherServer: ShopServer
    private var folders: [URL] = []

    init() async throws {
        server = try await ShopServer()
        otherServer = try await ShopServer()
        try await server.start()
        try await otherServer.start()
    }

    func end() async throws {
        try await server.end()
        try await otherServer.end()
        for folder in folders { try? FileManager.default.removeItem(at: folder) }
    }

    /// The case of each row.
    var cases: [String: Play] {
        [
            "delivered": { try await $0.sold("words") },
            "alreadyDelivered": { stage in
                let sent = try await stage.sold("words")
                _ = await sent.engine.submit(sent.transaction)
                return sent
            },
            "denied/expired": { try await $0.sold("night", #""purchaseDate": "2020-01-01T00:00:00Z""#) },
            "denied/revoked": { stage in try await stage.afterAct(on: "words") { "transactions/\($0)/refund" } },
            "denied/upgraded": { try await $0.upgraded() },
            "denied/billingRetry": { stage in
                try await stage.afterAct(on: "club") { "subscriptions/\($0)/billing-retry" }
            },
            "denied/consumed": { try await $0.sold("hints", #""ownershipType": "FAMILY_SHARED""#) },
            "denied/transferred": { try await $0.besides(.wasOwn) },
            "denied/ownedByAnotherAccount": { try await $0.besides(.wasNever) },
            "denied/sandbox": { try await $0.sold("words", #""environment": "Sandbox""#) },
            "denied/unknownProduct": { try await $0.sold("unheard-of", #""type": "consumable""#) },
            "denied/typeMismatch": { try await $0.sold("words", #""type": "non-renewing""#) },
            "denied/ownershipType": { try await $0.sold("hints", #""ownershipType": "ASSIGNED""#) },
            "rejected/malformed": { try await $0.text("this is no receipt") },
            "rejected/signature": { try await $0.forged() },
            "rejected/chain": { try await $0.ofAnotherStore() },
            "rejected/expiredCertificate": { try await $0.ofTheFuture() },
            "rejected/bundleID": { try await $0.ofAnotherApp() },
        ]
    }

    /// Whether the app has finished it, as the simulated App Store knows.
    func isFinished(_ transaction: SignedTransaction, of customer: String) async throws -> Bool {
        let answer = try await server.simulate(
            "customers/\(customer)/transactions?bundleID=\(ShopServer.app)", method: .get)
        guard case .array(let all)? = answer["transactions"], case .number(let unfinished)? = answer["unfinished"]
        else { return false }
        let ids = all.compactMap { $0.text.flatMap { SignedTransaction(simulated: $0)?.id } }
        return !ids.prefix(Int(unfinished)).contains(transaction.id)
    }

    // MARK: Players

    private func engine(of other: ShopServer? = nil) throws -> (ReceiptEngine, AccountSession) {
        let server = other ?? server
        let folder = FileManager.default.temporaryDirectory.appending(path: "qm-finish-\(UUID().uuidString)")
        folders.append(folder)
        let configuration = Quartermaster.Configuration(server: server.url, bundleID: ShopServer.app, folder: folder)
        let api = API(server: server.url, transport: HTTPTransport(timeouts: .patient))
        let session = AccountSession(
            api: api, credentials: FileCredentials(folder.appending(path: "account.json")), bundleID: ShopServer.app,
            folder: folder, makeKey: { UUID().uuidString })
        let source = server.store(of: "nobody")
        return (ReceiptEngine(session: session, source: source, configuration: configuration), session)
    }

    private func order(_ product: String, for account: UUID, customer: String, _ more: String = "") -> String {
        let rest = more.isEmpty ? "" : ", " + more
        return #"""
            {"bundleID": "\#(ShopServer.app)", "productID": "\#(product)", "customer": "\#(customer)",
             "appAccountToken": "\#(account.uuidString.lowercased())"\#(rest)}
            """#
    }

    private func buy(_ product: String, for account: UUID, customer: String, _ more: String = "") async throws
        -> JSONValue
    {
        try await server.simulate("purchases", order(product, for: account, customer: customer, more))
    }

    private func sold(_ product: String, _ more: String = "") async throws -> Sent {
        let (engine, session) = try engine()
        let account = try await session.open()
        let customer = UUID().uuidString
        let sale = try await buy(product, for: account.id, customer: customer, more)
        let isListed = !more.contains("Sandbox")
        return Sent(
            transaction: try transaction(sale), engine: engine, customer: customer,
            isOfStore: isListed && product != "hints")
    }

    private func transaction(_ answer: JSONValue) throws -> SignedTransaction {
        let jws = try #require(answer["signedTransaction"]?.text)
        return try #require(SignedTransaction(simulated: jws))
    }

    // MARK: What happened before

    /// The transaction as it is after something happened to it.
    private func afterAct(on product: String, _ path: (String) -> String) async throws -> Sent {
        var sent = try await sold(product)
        let answer = try await server.simulate(path(sent.transaction.id))
        sent.transaction = try transaction(answer)
        return sent
    }

    private func upgraded() async throws -> Sent {
        let sent = try await sold("club")
        let answer = try await server.simulate(
            "subscriptions/\(sent.transaction.id)/upgrade", #"{"productID": "club.gold"}"#)
        _ = await sent.engine.submit(try transaction(answer))
        var old = sent
        old.isOfStore = false
        return old
    }

    private enum Owner {
        case wasOwn
        case wasNever
    }

    /// An app receipt with a purchase of another account beside one of its own.
    private func besides(_ owner: Owner) async throws -> Sent {
        let (engine, session) = try engine()
        let (_, otherSession) = try self.engine()
        _ = try await (session.open(), otherSession.open())
        let customer = UUID().uuidString
        // Without a token a purchase belongs to the account that presents it first.
        let words = try await buyWithoutToken("words", customer: customer)
        if owner == .wasOwn { _ = await engine.submit(try transaction(words)) }
        // What is shown for a transfer must be newer, by whole seconds, than what the owner has shown.
        try await server.simulate("clock", #"{"advanceSeconds": 5}"#)
        let listed = try await server.simulate(
            "customers/\(customer)/transactions?bundleID=\(ShopServer.app)", method: .get)
        guard case .array(let all)? = listed["transactions"] else { throw NotThere() }
        let request = try APIRequest(.post, "v1", "receipts").json(
            ReceiptRequest(receipt: try #require(all.first?.text), bundleID: ShopServer.app, mayTransfer: true))
        _ = try await otherSession.send(request)
        let sale = try await buyWithoutToken("night", customer: customer)
        let receipt = try #require(sale["appReceipt"]?.text)
        return Sent(
            transaction: SignedTransaction(id: try transaction(words).id, productID: "words", jws: receipt),
            engine: engine, isOfStore: false)
    }

    private func buyWithoutToken(_ product: String, customer: String) async throws -> JSONValue {
        try await server.simulate(
            "purchases",
            #"{"bundleID": "\#(ShopServer.app)", "productID": "\#(product)", "customer": "\#(customer)"}"#)
    }

    private func text(_ text: String) async throws -> Sent {
        Sent(
            transaction: SignedTransaction(id: "1", productID: "words", jws: text), engine: try engine().0,
            isOfStore: false)
    }

    private func forged() async throws -> Sent {
        var sent = try await sold("words")
        let parts = sent.transaction.jws.split(separator: ".")
        let first = parts[2].hasPrefix("A") ? "B" : "A"
        sent.transaction.jws = "\(parts[0]).\(parts[1]).\(first)\(parts[2].dropFirst())"
        sent.isOfStore = false
        return sent
    }

    private func ofAnotherStore() async throws -> Sent {
        let sale = try await otherServer.simulate("purchases", order("words", for: UUID(), customer: "somebody"))
        return Sent(transaction: try transaction(sale), engine: try engine().0, isOfStore: false)
    }

    /// A receipt that the other server's App Store signs when its certificates have expired. Its clock moves
    /// permanently.
    private func ofTheFuture() async throws -> Sent {
        try await otherServer.advance(days: 31 * 365)
        let (engine, session) = try engine(of: otherServer)
        let account = try await session.open()
        let sale = try await otherServer.simulate("purchases", order("words", for: account.id, customer: "late"))
        return Sent(transaction: try transaction(sale), engine: engine, isOfStore: false)
    }

    private func ofAnotherApp() async throws -> Sent {
        let sale = try await server.simulate(
            "purchases",
            #"{"bundleID": "com.example.unknown", "productID": "words", "type": "non-consumable", "customer": "x"}"#)
        return Sent(transaction: try transaction(sale), engine: try engine().0, isOfStore: false)
    }

    private struct NotThere: Error {}
}
