public import Foundation

/// A customer of the simulated App Store (`quartermaster serve --simulator`), for development, tests and games on
/// Linux.
///
/// It sells as StoreKit does: unfinished transactions come again at the next start, purchases may need an approval, and
/// a refund arrives through ``updates``.
public actor SimulatorSource: PurchaseSource {
    private let api: API
    private let bundleID: String
    private let customer: String
    private let device: UUID
    private let soldIn: StoreEnvironment
    private let pollInterval: Duration
    private let clock: ClientClock
    /// Whether purchases wait for an approval (Ask to Buy).
    private var asksToBuy = false
    /// Whether the customer cancels purchases.
    private var cancels = false
    /// Whether the device may make payments.
    private var makesPayments = true
    /// The purchase that waits for an approval since the latest ``purchase(_:for:quantity:)``, by the simulator's ID.
    public private(set) var lastPending: String?
    public nonisolated let updates: AsyncStream<SignedTransaction>
    private let updateWriter: AsyncStream<SignedTransaction>.Continuation
    private var isPolling = false
    /// When each known transaction was revoked, or `nil` as long as it stands.
    private var known: [String: Int?] = [:]

    /// - Parameters:
    ///   - simulator: the URL of the simulator.
    ///   - customer: the customer's name, in place of an Apple Account. Two devices of one person pass the same.
    ///   - device: the device's ID, in place of `AppStore.deviceVerificationID`.
    ///   - pollInterval: the time between requests for what happened elsewhere.
    public init(
        _ simulator: URL, bundleID: String, customer: String, device: UUID,
        environment: StoreEnvironment = .production, pollInterval: Duration = .seconds(2), clock: ClientClock = .system
    ) {
        self.init(
            API(server: simulator, transport: HTTPTransport()), bundleID: bundleID, customer: customer, device: device,
            environment: environment, pollInterval: pollInterval, clock: clock)
    }

    /// - Parameter simulator: the simulator as it is reached.
    init(
        _ simulator: API, bundleID: String, customer: String, device: UUID,
        environment: StoreEnvironment = .production, pollInterval: Duration = .seconds(2), clock: ClientClock = .system
    ) {
        api = simulator
        self.bundleID = bundleID
        self.customer = customer
        self.device = device
        soldIn = environment
        self.pollInterval = pollInterval
        self.clock = clock
        (updates, updateWriter) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(Self.maximumUpdates))
    }

    /// The maximum number of unread updates. The simulator lists at most 120 transactions of a customer.
    private static let maximumUpdates = 1_000

    private static let cancellations: Set<String> = ["payment_declined", "purchase_cancelled"]

    /// Whether somebody has to approve purchases from now on.
    public func setAsksToBuy(_ asks: Bool) { asksToBuy = asks }

    /// Whether the customer cancels purchases from now on, in place of paying.
    public func setCancels(_ cancels: Bool) { self.cancels = cancels }

    /// Whether the device may make payments from now on.
    public func setMakesPayments(_ makes: Bool) { makesPayments = makes }

    public func canMakePayments() async -> Bool { makesPayments }

    /// Feeds ``updates`` until the task is cancelled.
    public func run() async {
        guard !isPolling else { return }
        isPolling = true
        while !Task.isCancelled {
            try? await poll()
            guard (try? await clock.sleep(pollInterval)) != nil else { break }
        }
        isPolling = false
    }

    public func products(_ ids: [String]) async throws -> [SourceProduct] {
        var request = APIRequest(.get, "simulator", "v1", "products")
        request.query = [("bundleID", bundleID), ("ids", ids.joined(separator: ","))]
        let answer = try await JSONDecoder().decode(SimulatorProducts.self, from: api.send(request).body)
        return answer.products
    }

    public func purchase(_ id: String, for account: UUID, quantity: Int) async throws -> PurchaseOutcome {
        let order = SimulatorOrder(
            bundleID: bundleID, productID: id, appAccountToken: account, quantity: quantity, environment: soldIn,
            customer: customer, device: device, outcome: cancels ? "cancelled" : asksToBuy ? "pending" : nil)
        do {
            let response = try await api.send(try APIRequest(.post, "simulator", "v1", "purchases").json(order))
            if response.status == 202 {
                lastPending = try JSONDecoder().decode(SimulatorPending.self, from: response.body).purchase
                return .pending
            }
            let sold = try JSONDecoder().decode(SimulatorSale.self, from: response.body)
            guard let transaction = SignedTransaction(simulated: sold.signedTransaction) else {
                throw NotATransaction()
            }
            known[transaction.id] = .some(nil)
            return .purchased(transaction)
        } catch let problem as ServerProblem where Self.cancellations.contains(problem.code.rawValue) {
            return .cancelled
        }
    }

    public func history() async throws -> [SignedTransaction] { try await transactions().transactions }

    public func finish(_ id: String) async throws {
        do {
            _ = try await api.send(APIRequest(.post, "simulator", "v1", "transactions", id, "finish"))
        } catch let problem as ServerProblem where problem.status == 404 {
            // StoreKit does not know every ID either, and reports no error.
        }
    }

    public func synchronize() async throws { _ = try await transactions() }

    public func environment() async -> StoreEnvironment? { soldIn }

    public func deviceVerificationID() async -> UUID? { device }

    /// Hands over what is unfinished and not known yet, and what was refunded since.
    private func poll() async throws {
        let (transactions, unfinished) = try await transactions()
        for (index, transaction) in transactions.enumerated() {
            let revoked = transaction.simulatedRevocation
            let before = known.updateValue(revoked, forKey: transaction.id)
            if before.map({ $0 != revoked }) ?? (index < unfinished) { updateWriter.yield(transaction) }
        }
    }

    private func transactions() async throws -> (transactions: [SignedTransaction], unfinished: Int) {
        var request = APIRequest(.get, "simulator", "v1", "customers", customer, "transactions")
        request.query = [
            ("bundleID", bundleID), ("environment", soldIn.rawValue), ("device", device.uuidString.lowercased()),
        ]
        let answer = try await JSONDecoder().decode(SimulatorTransactions.self, from: api.send(request).body)
        return (answer.transactions.compactMap { SignedTransaction(simulated: $0) }, answer.unfinished)
    }

    /// The simulator sold something that is no transaction.
    struct NotATransaction: Error {}
}

/// The body of the simulator's `POST /simulator/v1/purchases`.
struct SimulatorOrder: Sendable, Encodable {
    var bundleID: String
    var productID: String
    var appAccountToken: UUID
    var quantity: Int
    var environment: StoreEnvironment
    var customer: String
    var device: UUID
    /// `pending`: somebody has to approve it; `cancelled`: the customer does not pay.
    var outcome: String?
}

/// The simulator's answer to a purchase that waits for an approval.
struct SimulatorPending: Sendable, Decodable {
    var purchase: String
}

/// The products that the simulator knows.
struct SimulatorProducts: Sendable, Decodable {
    let products: [SourceProduct]

    private struct Product: Decodable {
        var id: String
        var type: ProductType
        var displayName: String
        var description: String
        var displayPrice: String
        /// In thousandths of the currency.
        var price: Int?
        var currency: String?
        var isFamilyShareable: Bool?
        var period: String?
        var group: String?
        var level: Int?

        var described: SourceProduct {
            let terms = period.flatMap(SourceProduct.Period.init).map { period in
                SourceProduct.Terms(groupID: group ?? "", level: level, period: period)
            }
            return SourceProduct(
                id: id, type: type, displayName: displayName, description: description, displayPrice: displayPrice,
                price: price.map { Decimal($0) / 1_000 }, currency: currency,
                isFamilyShareable: isFamilyShareable ?? false, subscription: type == .autoRenewable ? terms : nil)
        }
    }

    private enum CodingKeys: String, CodingKey {
        case products
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        products = try container.decode([Product].self, forKey: .products).map(\.described)
    }
}

/// The simulator's answer to a purchase.
struct SimulatorSale: Sendable, Decodable {
    var signedTransaction: String
}

/// A customer's transactions, as the simulator lists them.
struct SimulatorTransactions: Sendable, Decodable {
    /// The transactions as JWS, the unfinished ones first.
    var transactions: [String]
    /// The number of those that are not finished.
    var unfinished: Int
}
