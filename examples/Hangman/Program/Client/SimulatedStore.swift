import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// App Store Connect of the simulated App Store: a fresh simulator knows no products, so the game tells it its own.
struct SimulatedStore: Sendable {
    private struct Products: Codable {
        struct Product: Codable {
            let id: String
        }
        let products: [Product]
    }

    private struct Information: Encodable {
        let bundleID: String
        let products: [StoreEntry]
    }

    /// How long the simulator may take, in seconds.
    private static let patience: TimeInterval = 5

    let simulator: URL
    let bundleID: String

    /// Tells the simulator the products that it does not know. If it cannot be reached, nothing is on sale.
    ///
    /// - Returns: whether there were any.
    func add(_ entries: [StoreEntry]) async -> Bool {
        var request = URLRequest(
            url: simulator.appending(path: "simulator/v1/products"), timeoutInterval: Self.patience)
        let query = [URLQueryItem(name: "bundleID", value: bundleID)]
        guard let url = request.url?.appending(queryItems: query),
            let (body, _) = try? await URLSession.shared.data(from: url),
            let known = try? JSONDecoder().decode(Products.self, from: body)
        else { return false }
        let missing = entries.filter { entry in !known.products.contains { $0.id == entry.id } }
        guard !missing.isEmpty else { return false }
        request.httpMethod = "PUT"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.httpBody = try? JSONEncoder().encode(Information(bundleID: bundleID, products: missing))
        return (try? await URLSession.shared.data(for: request)) != nil
    }
}
