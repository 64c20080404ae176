import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

extension EntryFields {
    /// The fields of a product's entry: the members that products of its type can have.
    ///
    /// - Parameters:
    ///   - base: the entry as it was when the form was made.
    ///   - handlers: the handlers of all product types.
    ///   - bundles: the bundles that can be named; `nil` if they are not told.
    /// - Throws: ``/ServerCore/CatalogRefusal/unreadableEntry(_:)``
    init(ofProduct base: Data, handlers: [any ProductHandler.Type], bundles: [BundleName]?) throws {
        try self.init(base) { root in
            let type = ProductType(rawValue: root["type"]?.string ?? "")
            let settings = handlers.first { $0.productType == type }?.settings ?? []
            return Self.members(of: type, settings, bundles)
        }
    }

    private static func members(
        of type: ProductType, _ settings: [ProductSetting], _ bundles: [BundleName]?
    ) -> [ProductMember] {
        let own = settings.map { setting in
            ProductMember(
                setting.name, setting.name, setting.choices.isEmpty ? .word : .choice(setting.choices),
                hint: setting.summary)
        }
        return sale + own + contents(bundles) + subscription(type) + audience
    }

    private static let sale = [
        ProductMember(
            "availableFrom", "On sale from", .text, hint: "Such as 2026-12-01T00:00:00Z; empty for always."),
        ProductMember("availableUntil", "On sale until", .text, hint: "The first moment after it; empty for no end."),
        ProductMember(
            "credits", "Credits", .amounts,
            hint: "A currency and an amount for each unit, such as hints 10; one per line."),
    ]

    private static func contents(_ bundles: [BundleName]?) -> [ProductMember] {
        [ProductMember("bundles", "Bundles", .lines, hint: hint(naming: bundles))]
    }

    /// The hint of a field for bundles.
    static func hint(naming bundles: [BundleName]?) -> String {
        guard let bundles else { return "One per line: those that your apps name already, or that no app names." }
        let known = bundles.prefix(maximumNamed).map(\.text).joined(separator: ", ")
        let rest = bundles.count > maximumNamed ? " and \(bundles.count - maximumNamed) more" : ""
        return bundles.isEmpty ? "There is none yet." : "One per line. There are \(known)\(rest)."
    }

    /// The bundles that a hint names.
    private static let maximumNamed = 20

    private static func subscription(_ type: ProductType) -> [ProductMember] {
        var members = [
            ProductMember(
                "group", "Group", .text, hint: "Products of one type and group share a history; empty for none."),
            ProductMember("level", "Level", .word, hint: "The rank in the group, 1 is the highest."),
            ProductMember(
                "ownership", "Ownership", .choice(["transfer", "keep"]),
                hint: "Whether a receipt may move a purchase to another account of the player."),
        ]
        if ![.consumable, .nonConsumable, .nonRenewing].contains(type) {
            members.append(
                ProductMember(
                    "trialCredits", "Credits of a free trial", .choice(TrialCredits.allCases.map(\.rawValue))))
        }
        if type == .autoRenewable {
            members.append(
                ProductMember(
                    "upgradedCredits", "Credits of a period that was left for another plan",
                    .choice(UpgradedCredits.allCases.map(\.rawValue))))
            members.append(
                ProductMember(
                    "offers", "Promotional offers", .json,
                    hint: "A JSON list of those that may be signed, such as "
                        + "[{\"id\": \"winter\", \"for\": \"lapsed\", \"once\": true}]."))
        }
        if ![.consumable, .nonConsumable].contains(type) {
            members.append(
                ProductMember(
                    "afterExpiry", "After it has ended", .choice(AfterExpiry.allCases.map(\.rawValue)),
                    hint: "Whether versions from its time stay readable."))
        }
        return members
    }

    private static let audience = [
        ProductMember("minimumAppVersion", "Lowest app version", .text, hint: "Such as 1.10; empty for all."),
        ProductMember("platforms", "Platforms", .lines, hint: "Such as ios, one per line; empty for all."),
        ProductMember("storefronts", "Storefronts", .lines, hint: "Such as DEU, one per line; empty for all."),
        ProductMember("metadata", "Metadata", .json, hint: "A JSON object for the app."),
    ]
}
