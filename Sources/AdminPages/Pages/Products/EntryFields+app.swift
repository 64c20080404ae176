import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

extension EntryFields {
    /// The fields of an app's settings.
    ///
    /// - Parameters:
    ///   - base: its entry without the products as it was when the form was made.
    ///   - products: those that a placement can offer.
    /// - Throws: ``/ServerCore/CatalogRefusal/unreadableEntry(_:)``
    init(ofApp base: Data, bundles: [BundleName]?, products: [ProductID]) throws {
        try self.init(base) { _ in Self.appMembers(bundles, products) }
    }

    /// The members of an app's entry, in the order of the form.
    static func appMembers(_ bundles: [BundleName]?, _ products: [ProductID]) -> [ProductMember] {
        store + credits + [ProductMember("openBundles", "Bundles for everybody", .lines, hint: hint(naming: bundles))]
            + listing + [placements(products)]
    }

    private static let store = [
        ProductMember(
            "appAppleID", "Number in the App Store", .number(1 ... .max), hint: "From the app's App Store address."),
        ProductMember(
            "sandbox", "Who gets something for sandbox purchases", .sandbox,
            hint: "They cost nothing. App Review buys in the sandbox."),
        ProductMember(
            "finishFromServer", "Finish from the server", .flag,
            hint: "Whether transactions that were delivered are finished with the App Store here, too."),
        ProductMember(
            "offlineDays", "Days offline", .number(1...35),
            hint: "How long subscriptions stay open on a device without a connection; empty for 7."),
        ProductMember(
            "receiptVersions", "Versions in receipts",
            .object([
                ProductMember(
                    "minimum", "Lowest version", .text, hint: "Such as 1.10; receipts of older ones are marked.")
            ])),
    ]

    private static let credits = [
        ProductMember(
            "startingCredits", "Starting credits", .amounts,
            hint: "What a new account gets: a currency and an amount, such as hints 20; one per line."),
        ProductMember(
            "startingCreditsOnce", "Who gets starting credits",
            .choice([
                ("", "Every new account"),
                (StartingCreditsProof.appTransaction.rawValue, "Each customer once, proved by an app transaction"),
            ])),
        ProductMember(
            "currencies", "Currencies",
            .rows(
                MemberRows(
                    shape: .named, title: "a currency",
                    columns: [
                        ProductMember("name", "Currency", .text, hint: "As in the credits of products, such as hints."),
                        ProductMember(
                            "refund", "Credits that were spent before a refund",
                            .choice(
                                [
                                    ("", "They are owed: the balance goes below zero"),
                                    (RefundPolicy.clamp.rawValue, "They are forgiven: the balance stops at zero"),
                                ], usual: RefundPolicy.debt.rawValue)),
                    ])), hint: "Only for currencies whose refunds are not as usual."),
    ]

    private static let listing = [
        ProductMember("notice", "Notice to players", .text, hint: "Apps get it with the product list."),
        ProductMember(
            "minimumAppVersion", "Lowest app version", .text,
            hint: "Such as 1.10; older versions are asked to update."),
        ProductMember(
            "legal", "Legal links",
            .object([
                ProductMember("privacyPolicy", "Privacy policy", .text, hint: "Such as https://example.com/privacy."),
                ProductMember("terms", "Terms of use", .text, hint: "Such as https://example.com/terms."),
            ]), hint: "App Review asks for both where subscriptions are sold."),
    ]

    private static func placements(_ products: [ProductID]) -> ProductMember {
        let known = products.isEmpty ? "" : " There are \(named(products.map(\.text)))."
        return ProductMember(
            "placements", "Placements",
            .rows(
                MemberRows(
                    shape: .placements, title: "a placement",
                    columns: [
                        ProductMember(
                            "place", "Place in the app", .text, hint: "As the app asks for it, such as shop."),
                        ProductMember(
                            "products", "Products", .lines,
                            hint: "Their IDs, one per line, in the order of the offer; empty to offer nothing." + known),
                    ], more: ("Only for some players, or for some time", conditions))),
            hint: "Places in the app that offer some of the products. Of several with one place, players get the first "
                + "that is for them.")
    }

    private static let conditions = [
        ProductMember("availableFrom", "From", .time, hint: "In UTC. Empty for always."),
        ProductMember("availableUntil", "Until", .time, hint: "In UTC: the first moment after it."),
        ProductMember(
            "buckets", "Share of the players", .range(PlacementCondition.allBuckets),
            hint: "Such as 0-49 for one half of them, and 50-99 for the other; empty for all."),
        ProductMember("minimumAppVersion", "Lowest app version", .text, hint: "Such as 1.10; empty for all."),
        ProductMember("maximumAppVersion", "Highest app version", .text, hint: "Empty for all."), platforms,
        storefronts,
        ProductMember("metadata", "Metadata for the app", .json, hint: "The raw view: a JSON object; empty for none."),
    ]
}
