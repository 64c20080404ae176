import Foundation
import QuartermasterClient

/// States of the shop for previews and tests: `ShopModel(preview: .firstLaunch)`.
extension ShopState {
    private static let prefix = "com.example.hangman."
    /// The time of all of them.
    static let sampleTime = Date(timeIntervalSince1970: 1_764_590_400)

    /// Before anything was bought: everything is for sale, with a week free in the club.
    static var firstLaunch: ShopState {
        var state = ShopState()
        state.time = sampleTime
        state.isOnline = true
        state.balances = [hints: 20]
        state.legal = LegalLinks(
            privacyPolicy: URL(string: "https://example.com/privacy"), terms: URL(string: "https://example.com/terms"))
        state.products = [
            product("tenhints", .consumable, "Ten hints", "$0.99"),
            product("hardwords", .nonConsumable, "Hard words", "$2.99", bundles: ["hard-words"]),
            product("nighttheme.month", .nonRenewing, "Night theme, a month", "$0.99", bundles: ["night-theme"]),
            membership,
        ]
        state.bundles = [
            BundleStatus(name: "animals", version: "1.0.0", size: 1_600, installed: "1.0.0", isEssential: true),
            BundleStatus(name: "hard-words", version: "1.0.0", size: 3_100_000, isReadable: false),
            BundleStatus(name: "tiere", version: "1.0.0", size: 1_600, languages: ["de"], isForPlayer: false),
        ]
        return state
    }

    /// A member of the club, in the middle of a download, whose theme runs and whose child has asked for hints.
    static var member: ShopState {
        var state = firstLaunch
        let month = sampleTime.addingTimeInterval(30 * 86_400)
        state.account = .signedIn(UUID(uuid: (0, 0, 0, 0, 0, 0, 64, 0, 128, 0, 0, 0, 0, 0, 0, 1)))
        var owned = Entitlement(product: prefix + "club.monthly", type: .autoRenewable, until: month)
        owned.group = club
        owned.subscription = SubscriptionDetails()
        owned.subscription?.willRenew = true
        owned.subscription?.renewsAt = month
        state.entitlements = [owned]
        state.products[0].state = .pending
        state.products[1].state = .waiting
        state.products[2].state = .owned(until: month)
        state.products[3].state = .owned(until: month)
        state.bundles[1].isReadable = true
        var progress = DownloadProgress(bundle: "hard-words")
        (progress.phase, progress.received, progress.total) = (.downloading, 775_000, 3_100_000)
        state.bundles[1].progress = progress
        return state
    }

    /// Without the network: nothing is for sale, and nothing that is here goes away.
    static var offline: ShopState {
        var state = firstLaunch
        state.isOnline = false
        for index in state.products.indices {
            state.products[index].store = nil
            state.products[index].state = .unavailable(.storeNotReached)
        }
        state.lastError = ShopEvent(.refreshFailed, at: sampleTime, reason: "notConnected")
        return state
    }

    /// Purchases as the server lists them, the newest first.
    static let samplePurchases = [
        ShopPurchase(
            transactionID: "2000000000000002", product: prefix + "hardwords", purchasedAt: sampleTime, price: 2_990,
            currency: "USD"),
        ShopPurchase(
            transactionID: "2000000000000001", product: prefix + "tenhints", quantity: 2, purchasedAt: sampleTime,
            state: .refunded),
    ]

    private static var membership: ShopProduct {
        let week = SourceProduct.Offer(paymentMode: .freeTrial, period: .init(1, .week), displayPrice: "$0.00")
        let terms = SourceProduct.Terms(
            groupID: "21000001", period: .init(1, .month), introductoryOffer: week,
            isEligibleForIntroductoryOffer: true)
        var product = product("club.monthly", .autoRenewable, "Club", "$4.99", bundles: ["hard-words", "night-theme"])
        product.group = club
        product.store?.subscription = terms
        return product
    }

    private static func product(
        _ name: String, _ type: ProductType, _ title: String, _ price: String, bundles: [String] = []
    ) -> ShopProduct {
        let store = SourceProduct(
            id: prefix + name, type: type, displayName: title, description: "", displayPrice: price)
        return ShopProduct(id: prefix + name, type: type, store: store, bundles: bundles)
    }
}
