import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase

/// The routes of the product information, which StoreKit gives the app: `/simulator/v1/products`.
struct SimulatorProductRoutes: Sendable {
    private struct Setting: Decodable {
        var bundleID: String
        var products: [StoreProduct]
    }

    private struct Answer: Encodable {
        var products: [ProductAnswer]
    }

    var products: ProductShelf

    func add(to router: RouterGroup<StoreRequestContext>) {
        router.put("products") { request, context in
            let setting = try await context.decode(Setting.self, from: request)
            guard let app = setting.bundleID.identifier else {
                throw SimulatorProblem.invalid("bundleID: expected 1 to 255 characters")
            }
            try await products.set(setting.products, of: BundleID(stored: app))
            return Response(status: .noContent)
        }
        router.get("products", use: list)
    }

    /// The products that are known, those that the query names or all; an unknown ID is left out.
    @Sendable private func list(_ request: Request, _ context: StoreRequestContext) async throws -> Response {
        let query = request.uri.queryParameters
        guard let app = query.get("bundleID")?.identifier else {
            throw SimulatorProblem.invalid("A bundleID is needed.")
        }
        let storefront = query.get("storefront") ?? Storefront.standard
        guard Storefront.isCode(storefront) else {
            throw SimulatorProblem.invalid("storefront: expected a code of ISO 3166-1 such as USA")
        }
        var found = try await products.products(of: BundleID(stored: app))
        if let ids = query.get("ids").map({ Set($0.split(separator: ",").map(String.init)) }) {
            found = found.filter { ids.contains($0.id.text) }
        }
        return try .json(Answer(products: found.map { ProductAnswer($0, in: storefront) }))
    }
}

/// A product as StoreKit describes it to the app in one storefront.
struct ProductAnswer: Encodable {
    private static let locale = Locale(identifier: "en_US")

    var id: ProductID
    var type: String
    var displayName: String
    var description: String
    /// The price in milliunits of the currency.
    var price: Int
    var currency: String
    /// The price for people: `$4.99`.
    var displayPrice: String
    var isFamilyShareable: Bool
    var period: CalendarDuration?
    var group: String?
    var level: Int?
    var offers: [StoreOffer]?

    init(_ product: StoreProduct, in storefront: String) {
        id = product.id
        type = product.type
        displayName = product.displayName
        description = product.description
        price = product.price(in: storefront)
        currency = product.storefronts?[storefront]?.currency ?? product.currency
        displayPrice = (Decimal(price) / 1_000).formatted(.currency(code: currency).locale(Self.locale))
        isFamilyShareable = product.isFamilyShareable
        period = product.period
        group = product.group
        level = product.level
        offers = product.offers
    }
}
