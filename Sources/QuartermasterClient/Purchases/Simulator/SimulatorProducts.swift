/// The products that the simulator knows.
struct SimulatorProducts: Sendable, Decodable {
    let products: [StoreProduct]

    private struct Product: Decodable {
        var id: String
        var type: ProductType
        var displayName: String
        var description: String
        var displayPrice: String
    }

    private enum CodingKeys: String, CodingKey {
        case products
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        products = try container.decode([Product].self, forKey: .products).map {
            StoreProduct(
                id: $0.id, type: $0.type, displayName: $0.displayName, description: $0.description,
                displayPrice: $0.displayPrice)
        }
    }
}
