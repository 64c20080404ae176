public import Foundation
public import Observation

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
        entitlements.contains { $0.product == product && $0.hasAccess(at: time) }
    }
}

/// A bundle that the player can read, could buy, or has on the device.
public struct BundleStatus: Sendable, Equatable, Identifiable {
    /// The bundle's name.
    public var name: String
    /// The newest version for this app. `nil` if it is not known.
    public var version: String?
    /// The size of the files of ``version`` together, in bytes.
    public var size: Int?
    /// The version on the device.
    public var installed: String?
    /// The version to which ``installed`` can be updated.
    public var update: String?
    /// Whether the player may read it now.
    public var isReadable: Bool
    /// Whether the app needs it to begin with. Then it is downloaded by itself.
    public var isEssential: Bool
    /// The languages of its content, as BCP 47 tags. Empty if it is for all.
    public var languages: [String]
    /// Whether it is for all languages, or for the best one of the player's in its list of contents.
    public var isForPlayer: Bool
    /// A download that runs, waits, or has failed.
    public var progress: DownloadProgress?

    public var id: String { name }
}

/// The shop's state for SwiftUI: a view that reads ``state`` is drawn again when it changes.
///
/// Create one for the life of the app, and run it from the first view: `.task { await model.run() }`.
@MainActor @Observable public final class ShopModel {
    /// The shop behind it, to buy, restore, spend and download.
    @ObservationIgnored public let shop: Quartermaster
    /// The newest snapshot.
    public private(set) var state = ShopState()

    public init(_ shop: Quartermaster) { self.shop = shop }

    /// Starts the shop and follows its states until the task ends. The shop keeps running, and the next call follows it
    /// again.
    public func run() async {
        // Before the start: what is on disk is shown before the network is asked.
        let states = shop.states()
        await shop.start()
        for await state in states { self.state = state }
    }
}
