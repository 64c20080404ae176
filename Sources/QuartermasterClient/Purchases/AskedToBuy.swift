import Foundation

/// The products whose purchase somebody has to approve. StoreKit lists them nowhere: they are remembered for the shop.
struct AskedToBuy: Sendable {
    private let file: StoredFile<Set<String>>
    private(set) var products: Set<String>

    init(folder: URL) {
        file = StoredFile(folder.appendingPathComponent("asked-to-buy.json"))
        products = file.load() ?? []
    }

    mutating func insert(_ product: String) {
        products.insert(product)
        try? file.save(products)
    }

    /// Removes a product whose purchase has arrived. The second time nothing happens.
    mutating func remove(_ product: String) {
        guard products.remove(product) != nil else { return }
        try? file.save(products)
    }
}
