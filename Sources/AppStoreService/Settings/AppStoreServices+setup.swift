import InAppPurchase
import Ledger
import ServerCore

extension AppStoreServices {
    /// The things that are not set up yet, or only for development.
    var setup: [SetupItem] {
        get async {
            let catalog = decisions.context.catalog
            var items = simulator == nil ? [] : [Self.simulated]
            items += decisions.xcodeApps.sorted().map(Self.xcode)
            for app in catalog.apps where simulator == nil { items += await setup(of: app) }
            return items + settings.unknownApps(in: catalog)
        }
    }

    private func setup(of app: App) async -> [SetupItem] {
        let hasKey = await keys.key(for: app.bundleID) != nil
        let canAsk = await queries.canAsk(about: app.bundleID)
        return [
            hasKey ? nil : Self.noKey(app.bundleID, isUnchecked: verifier.verifiesAppReceipts && !canAsk),
            hasKey || !app.finishFromServer ? nil : Self.finishWithoutKey(app.bundleID),
            app.appAppleID != nil ? nil : Self.noNumber(app.bundleID),
        ].compactMap { $0 }
    }

    private static let keyRemedy =
        "Make a key for In-App Purchase in App Store Connect, and set issuerID, keyID and privateKeyFile for the app."

    /// The warning of simulated purchases: they cost nothing, and whoever reaches the simulator's port can buy.
    private static let simulated = SetupItem(
        .simulator, "a simulated App Store is served and trusted: purchases cost nothing; for development only",
        remedy: "Remove the setting simulator before players pay, and use a database of its own.")

    /// The warning of an app that trusts Xcode's certificates: whoever has a copy of the developer's key can sign
    /// receipts for it.
    private static func xcode(_ app: BundleID) -> SetupItem {
        SetupItem(
            .xcodeCertificates, of: app,
            "receipts signed by Xcode's StoreKit testing are trusted; remove xcodeCertificates in production",
            remedy: "Remove xcodeCertificates before players pay.")
    }

    /// - Parameter isUnchecked: whether the app has no shared secret either, by which old app receipts are asked about.
    private static func noKey(_ app: BundleID, isUnchecked: Bool) -> SetupItem {
        SetupItem(
            .noStoreKey, of: app,
            isUnchecked
                ? """
                app receipts are verified by their signature alone, and refunds before the first notification are not \
                seen: the app has neither a key for the App Store Server API nor a shared secret
                """
                : """
                missed notifications are not fetched, and orders are not found: the app has no key for the App Store \
                Server API
                """,
            remedy: keyRemedy)
    }

    private static func finishWithoutKey(_ app: BundleID) -> SetupItem {
        SetupItem(
            .finishWithoutKey, of: app,
            "finishFromServer has no effect: the app has no key for the App Store Server API",
            remedy: keyRemedy)
    }

    private static func noNumber(_ app: BundleID) -> SetupItem {
        SetupItem(
            .noStoreID, of: app,
            "receipts are not compared with the app's number in the App Store: it has no appAppleID",
            remedy: "Set appAppleID: the Apple ID under App Information in App Store Connect.")
    }
}
