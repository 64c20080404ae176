public import Foundation

/// The part of a shop that a widget or another extension shows, as the app last saw it. It is read from the shop's
/// folder in an App Group; nothing is locked, requested or written.
public struct ShopSnapshot: Sendable, Equatable {
    /// Everything that the account bought or was given, with or without access.
    public let entitlements: [Entitlement]
    /// The balance of each kind of credits. Before there is an account, those that it will begin with.
    public let balances: [String: Int]
    /// The time at which the app last asked the server, or `nil` if it never did.
    public let checkedAt: Date?
    /// The time that access is decided for.
    public let time: Date

    /// - Parameters:
    ///   - folder: that of ``Quartermaster/Configuration``.
    ///   - rootKeys: those of the shop's configuration.
    ///   - now: the time that is shown, as that of an entry of a widget's timeline.
    /// - Throws: if there is something that cannot be read, as before the device was unlocked first.
    public init(folder: URL, rootKeys: Set<String> = [], now: Date = Date()) throws {
        let owned = try EntitlementCache.snapshot(of: folder, trust: KeyTrust(roots: rootKeys))
        let products = try StoredFile<CachedAnswer>(ClientFolder.products(folder)).read()
            .map { try JSONDecoder().decode(ProductList.self, from: $0.body) }
        entitlements = owned?.0.entitlements ?? []
        balances = owned?.0.balances ?? products?.startingCredits ?? [:]
        checkedAt = owned?.checkedAt
        // However the player sets the device's clock.
        time = max(now, try StoredFile<Date>(ClientFolder.time(folder)).read() ?? .distantPast)
    }

    /// A snapshot of values of your own, for previews of widgets.
    public init(
        entitlements: [Entitlement], balances: [String: Int] = [:], checkedAt: Date? = nil, time: Date = Date()
    ) {
        self.entitlements = entitlements
        self.balances = balances
        self.checkedAt = checkedAt
        self.time = time
    }

    /// Whether the account has access to a product.
    public func hasAccess(to product: String) -> Bool {
        entitlements.haveAccess(to: product, at: time)
    }

    /// As ``ShopState/hasAccess(toGroup:level:)``.
    public func hasAccess(toGroup group: String, level: Int? = nil) -> Bool {
        entitlements.haveAccess(toGroup: group, level: level, at: time)
    }
}
