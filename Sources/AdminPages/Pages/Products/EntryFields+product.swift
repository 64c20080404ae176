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
            return [Self.type(handlers)] + Self.members(of: type, handlers, bundles)
        }
    }

    /// The members that products of a type can have, in the order of the form.
    static func members(
        of type: ProductType, _ handlers: [any ProductHandler.Type], _ bundles: [BundleName]?
    ) -> [ProductMember] {
        let settings = handlers.first { $0.productType == type }?.settings ?? []
        return sale + settings.map(setting) + [contents(bundles)] + subscription(type) + [ownership(type)] + audience
            + [metadata]
    }

    /// The type, which is corrected where it is not the App Store's.
    private static func type(_ handlers: [any ProductHandler.Type]) -> ProductMember {
        ProductMember(
            "type", "Type", .choice(handlers.map { ($0.productType.rawValue, $0.productType.rawValue) }),
            hint: "As in App Store Connect. With another type, what is bought is not given.")
    }

    private static let sale = [
        ProductMember(
            "name", "Name",
            .rows(
                MemberRows(
                    shape: .texts, title: "a name",
                    columns: [
                        ProductMember("name", "Language", .text), ProductMember("text", "Name", .text),
                    ])), hint: "What people see of it, by language, such as en and Ten hints."),
        ProductMember("availableFrom", "On sale from", .time, hint: "In UTC. Empty for always."),
        ProductMember(
            "availableUntil", "On sale until", .time, hint: "In UTC: the first moment after it. Empty for no end."),
        ProductMember(
            "credits", "Credits", .amounts,
            hint: "A currency and an amount for each unit, such as hints 10; one per line."),
    ]

    private static let durations = [
        ("P7D", "7 days"), ("P1M", "one month"), ("P3M", "three months"), ("P6M", "six months"), ("P1Y", "one year"),
    ]

    private static let settingWords = ["keep": "Access stays", "revoke": "Access ends"]

    /// A setting of the type alone.
    private static func setting(_ setting: ProductSetting) -> ProductMember {
        let words = setting.choices.map { ($0, settingWords[$0] ?? $0) }
        var member = ProductMember(
            setting.name, setting.label, words.isEmpty ? .word : .choice([("", "As usual")] + words),
            hint: setting.summary)
        if setting.name == "duration" { member.suggestions = durations }
        return member
    }

    private static func contents(_ bundles: [BundleName]?) -> ProductMember {
        ProductMember("bundles", "Bundles", .lines, hint: hint(naming: bundles))
    }

    /// The hint of a field for bundles.
    static func hint(naming bundles: [BundleName]?) -> String {
        guard let bundles else { return "One per line: those that your apps name already, or that no app names." }
        return bundles.isEmpty ? "There is none yet." : "One per line. There are \(named(bundles.map(\.text)))."
    }

    /// The first names of many.
    static func named(_ names: [String]) -> String {
        let rest = names.count > maximumNamed ? " and \(names.count - maximumNamed) more" : ""
        return names.prefix(maximumNamed).joined(separator: ", ") + rest
    }

    /// The names that a hint has.
    private static let maximumNamed = 20

    /// Those of subscriptions and of types of one's own, which may be any.
    private static func subscription(_ type: ProductType) -> [ProductMember] {
        var members: [ProductMember] = []
        guard ![.consumable, .nonConsumable].contains(type) else { return members }
        members.append(
            ProductMember(
                "group", "Group", .text,
                hint: type == .autoRenewable
                    ? "The subscription group, of which a customer has one at a time."
                    : "Products of one type and group share their time; empty for none."))
        if type != .nonRenewing {
            members.append(
                ProductMember(
                    "level", "Level in the group", .number(1 ... .max), hint: "1 is the highest; empty for none."))
            members.append(
                ProductMember(
                    "trialCredits", "Credits of a free trial",
                    .choice([("", "Those of a paid period"), ("withhold", "None")], usual: TrialCredits.grant.rawValue))
            )
        }
        if type == .autoRenewable { members += [upgradedCredits, offers] }
        members.append(
            ProductMember(
                "afterExpiry", "After it has ended",
                .choice(
                    [("", "Its bundles are closed"), ("keep", "Versions from its time stay open")],
                    usual: AfterExpiry.lock.rawValue)))
        return members
    }

    private static let upgradedCredits = ProductMember(
        "upgradedCredits", "Credits of a period that was left for another plan",
        .choice(
            [("", "The share of the rest is taken back"), ("keep", "All stay")], usual: UpgradedCredits.share.rawValue))

    private static let offers = ProductMember(
        "offers", "Promotional offers",
        .rows(
            MemberRows(
                shape: .list, title: "an offer",
                columns: [
                    ProductMember("id", "Offer ID", .text, hint: "As in App Store Connect."),
                    ProductMember(
                        "for", "Who may have it",
                        .choice(
                            [
                                ("", "All who have or had a subscription of the group"),
                                ("lapsed", "Those whose subscription is over"), ("active", "Those who have one now"),
                            ], usual: PromotionalOffer.Audience.any.rawValue)),
                    ProductMember("once", "Each customer only once", .flag),
                ])), hint: "Those that the server may sign for the app.")

    private static func ownership(_ type: ProductType) -> ProductMember {
        let words = ["transfer": "May take it over", "keep": "May not: it stays where it is"]
        let (usual, other) = type == .consumable ? ("keep", "transfer") : ("transfer", "keep")
        return ProductMember(
            "ownership", "Another account of the player",
            .choice([("", words[usual] ?? ""), (other, words[other] ?? "")], usual: usual),
            hint: "When the app presents the purchase for another account.")
    }

    static let platforms = ProductMember(
        "platforms", "Platforms", .lines, hint: "Such as ios, one per line; empty for all.")
    static let storefronts = ProductMember(
        "storefronts", "Countries", .lines,
        hint: "Those of App Store accounts, in three letters such as DEU, one per line; empty for all.")

    private static let audience = [
        ProductMember("minimumAppVersion", "Lowest app version", .text, hint: "Such as 1.10; empty for all."),
        platforms,
        storefronts,
    ]

    private static let metadata = ProductMember(
        "metadata", "Texts for the app", rawLabel: "Metadata",
        .rows(
            MemberRows(
                shape: .texts, title: "a text",
                columns: [
                    ProductMember("name", "Name", .text, hint: "As the app asks for it, such as title."),
                    ProductMember(
                        MemberRows.language, "Language", .text, hint: "Such as en; empty for a text without one."),
                    ProductMember("text", "Text", .text),
                ])), hint: "The app gets them with the product list.")
}
