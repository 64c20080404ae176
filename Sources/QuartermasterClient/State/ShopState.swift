public import Foundation

/// Everything that a shop shows, as it was at one moment.
public struct ShopState: Sendable, Equatable {
    /// The products in the order of the server's list.
    public var products: [ShopProduct] = []
    /// Everything that the account bought or was given, with or without access.
    public var entitlements: [Entitlement] = []
    /// Why the server's latest word about them was not accepted, or they are closed although they have not ended.
    public var entitlementRefusal: EntitlementRefusal?
    /// The balance of each kind of credits. Before there is an account, those that it will begin with.
    public var balances: [String: Int] = [:]
    /// The bundles, sorted by name.
    public var bundles: [BundleStatus] = []
    /// The state of the device's account.
    public var account = AccountState.none
    /// Accounts that the player's other devices made and this one does not use, found by iCloud. Ask the player whether
    /// to open one: ``Quartermaster/signIn(account:)``.
    public var accountsFound: [UUID] = []
    /// Whether the server answered the latest request.
    public var isOnline = false
    /// Whether the device may make payments: if not, hide the shop, or say so.
    public var canMakePayments = true
    /// Whether the entitlements were last checked more than a day ago. What to make of that is the app's choice.
    public var isStale = false
    /// Transactions that are paid and not delivered yet.
    public var waitingTransactions = 0
    /// Spends whose answer was lost. Those that are settled are to be honoured and acknowledged.
    public var spends: [PendingSpend] = []
    /// The last failure, until a refresh succeeds: for a line under the shop, and for a report to support.
    public var lastError: ShopEvent?
    /// The links that a screen with subscriptions shows.
    public var legal: LegalLinks?
    /// The operator's message for players.
    public var notice: String?
    /// Whether the operator asks for a newer version of the app.
    public var needsAppUpdate = false
    /// A way for the player to get a purchase that another account owns.
    public var ownedByAnotherAccount: Remedy?
    /// The time that access was decided for.
    public var time = Date.distantPast

    public init() {}

    /// Whether the account has access to a product.
    public func hasAccess(to product: String) -> Bool {
        entitlements.haveAccess(to: product, at: time)
    }

    /// Whether the account has access to a product of a group of the server's catalog, so that a new product of the
    /// group needs no update of the app.
    ///
    /// - Parameter level: the lowest rank that counts, 1 being the highest; `nil` for all. A product without a rank
    ///   counts: it may have been removed from the catalog, and those who have it keep what it gives.
    public func hasAccess(toGroup group: String, level: Int? = nil) -> Bool {
        entitlements.haveAccess(toGroup: group, level: level, at: time)
    }
}
