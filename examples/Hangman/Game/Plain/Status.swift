import Foundation

/// The answer to `status`: one line of JSON.
package struct Status: Sendable, Equatable, Encodable {
    package struct Product: Sendable, Equatable, Encodable {
        package let id: String
        package let state: String
    }

    package struct Bundle: Sendable, Equatable, Encodable {
        package let bundle: String
        /// The installed version, else the newest one.
        package let version: String?
        package let installed: Bool
        /// The newest version, if an older one is installed.
        package let update: String?
        /// Whether it may be used now.
        package let readable: Bool
    }

    package let account: String?
    package let online: Bool
    package let balances: [String: Int]
    package let products: [Product]
    package let bundles: [Bundle]

    package init(_ shop: Shop, isOffline: Bool) {
        account = shop.account
        online = shop.isOnline && !isOffline
        balances = ["hints": shop.hints]
        products = shop.items.map { Product(id: $0.id, state: $0.state.word) }
        bundles = shop.bundles.map {
            Bundle(
                bundle: $0.name, version: $0.installed ?? $0.version, installed: $0.installed != nil, update: $0.update,
                readable: $0.isReadable)
        }
    }

    private enum CodingKeys: CodingKey {
        case account, online, balances, products, bundles
    }

    /// With `null` for the account before there is one.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(account, forKey: .account)
        try container.encode(online, forKey: .online)
        try container.encode(balances, forKey: .balances)
        try container.encode(products, forKey: .products)
        try container.encode(bundles, forKey: .bundles)
    }

    /// One line, with the members in the order of the alphabet.
    package func line() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
