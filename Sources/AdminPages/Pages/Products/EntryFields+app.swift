import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

extension EntryFields {
    /// The fields of an app's settings.
    ///
    /// - Parameter base: its entry without the products as it was when the form was made.
    /// - Throws: ``/ServerCore/CatalogRefusal/unreadableEntry(_:)``
    init(ofApp base: Data, bundles: [BundleName]?) throws { try self.init(base) { _ in Self.members(bundles) } }

    private static func members(_ bundles: [BundleName]?) -> [ProductMember] {
        store + credits + [ProductMember("openBundles", "Open bundles", .lines, hint: hint(naming: bundles))] + listing
    }

    private static let store = [
        ProductMember("appAppleID", "Number in the App Store", .word, hint: "From the app's App Store address."),
        ProductMember(
            "sandbox", "Sandbox", .word,
            hint: "Whom its purchases entitle: nobody, testers, everyone, or "
                + "{\"everyoneUntil\": \"2026-12-01T00:00:00Z\"}; empty for nobody."),
        ProductMember(
            "finishFromServer", "Finish from the server", .word,
            hint: "true: transactions that were delivered are finished here, too."),
        ProductMember(
            "offlineDays", "Days offline", .word,
            hint: "How long subscriptions stay open on a device without a connection, 1 to 35; empty for 7."),
        ProductMember(
            "receiptVersions", "Versions in receipts", .json,
            hint: "Such as {\"minimum\": \"1.10\"}: receipts of older versions of the app are marked."),
    ]

    private static let credits = [
        ProductMember(
            "startingCredits", "Starting credits", .amounts,
            hint: "A currency and an amount, such as hints 20; one per line."),
        ProductMember(
            "startingCreditsOnce", "Starting credits once", .choice(StartingCreditsProof.allCases.map(\.rawValue)),
            hint: "The proof that each account must show."),
        ProductMember(
            "currencies", "Currencies", .json, hint: "Such as {\"hints\": {\"refund\": \"clamp\"}}."),
    ]

    private static let listing = [
        ProductMember("notice", "Notice to players", .text, hint: "Apps get it with the product list."),
        ProductMember(
            "minimumAppVersion", "Lowest app version", .text,
            hint: "Such as 1.10; older versions are asked to update."),
        ProductMember(
            "legal", "Legal links", .json,
            hint: "Such as {\"privacyPolicy\": \"https://example.com/privacy\", "
                + "\"terms\": \"https://example.com/terms\"}."),
        ProductMember("placements", "Placements", .json, hint: "A JSON object: the products of places in the app."),
    ]
}
