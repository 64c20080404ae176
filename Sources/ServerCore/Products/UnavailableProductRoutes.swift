import Basics
import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import ServerHTTP
import StrictJSON

/// Counts the products that the store did not know, as apps report, and lists them for the operator: a typing error in
/// the catalog, or a product that is not approved yet.
struct UnavailableProductRoutes: RouteFeature {
    private static let keyBytes = 32
    private static let keyName = "unavailableProducts/key"
    /// The bytes of an address's hash, which are enough to tell addresses apart.
    private static let hashBytes = 16

    private let ledger: any CatalogLedger & KeyValueStore
    private let decisions: ServingContext
    private let clients: ClientAddresses
    private let limiter: RateLimiter<IPAddress?>
    private let random: RandomBytes

    init(
        ledger: any CatalogLedger & KeyValueStore, decisions: ServingContext, clients: ClientAddresses,
        limiter: RateLimiter<IPAddress?>,
        random: @escaping RandomBytes
    ) {
        self.ledger = ledger
        self.decisions = decisions
        self.clients = clients
        self.limiter = limiter
        self.random = random
    }

    func add(to groups: RouteGroups) {
        let report = RouteFacts("reportUnavailableProducts", reads: .json(UnavailableProductsBody.self))
        groups.open.on(.post, "apps/{bundleID}/unavailable-products", report) { try await self.report($0, $1) }
        let list = RouteFacts("listUnavailableProducts")
        groups.admin.on(.get, "apps/{bundleID}/unavailable-products", list, about: .appInPath) { _, context in
            try await self.list(context)
        }
    }

    private func report(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (address, date) = (clients.subscriber(request, context), decisions.clock())
        try limiter.consume(for: address, at: date)
        let app = try app(context)
        let body = try await request.decodedBody(UnavailableProductsBody.self, context)
        guard body.productIDs.count <= Limits.unavailableProductsPerReport else {
            throw Problem(
                .unprocessableContent, "invalid_request", "Too many products",
                detail: "At most \(Limits.unavailableProductsPerReport) in one call.")
        }
        let products = Set(body.productIDs.compactMap { app.product(ProductID(stored: $0))?.id }).sorted()
        if !products.isEmpty {
            try await ledger.recordUnavailable(products, of: app.bundleID, from: try await hash(of: address), at: date)
        }
        return Response(status: .noContent)
    }

    private func list(_ context: ServerContext) async throws -> Response {
        let app = try app(context)
        return try .adminJSON(UnavailableProductListBody(try await ledger.unavailableProducts(of: app.bundleID)))
    }

    private func app(_ context: ServerContext) throws -> App {
        guard let app = decisions.live.current.catalog.app(try context.pathPart("bundleID", as: BundleID.self)) else {
            throw Problem.unknownApp
        }
        return app
    }

    /// The keyed hash of the address, with a key of the ledger, so that the ledger does not reveal who reported.
    private func hash(of address: IPAddress?) async throws -> Data {
        let code = HMAC<SHA256>.authenticationCode(
            for: Data((address?.text ?? "").utf8), using: SymmetricKey(data: try await key))
        return Data(code.prefix(Self.hashBytes))
    }

    private var key: Data {
        get async throws {
            if let known = try await ledger.value(forKey: Self.keyName) { return known }
            return try await ledger.establish(Data(random(Self.keyBytes)), forKey: Self.keyName)
        }
    }
}

/// A report of the products that the store did not know.
struct UnavailableProductsBody: JSONRequestBody {
    /// The IDs as the app requested them; not product IDs, since those that the catalog does not have are dropped
    /// unread.
    var productIDs: [String]
}
