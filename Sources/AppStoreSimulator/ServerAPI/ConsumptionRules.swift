import Foundation
import InAppPurchase

/// The required and optional members of a consumption request.
struct ConsumptionRules: Sendable {
    enum Member: Sendable {
        case number(ClosedRange<Int>)
        case word(Set<String>)
        case flag
        /// A boolean that must be `true`.
        case consent
        case optionalWord(Set<String>)
        /// A UUID, or nothing.
        case token
    }

    /// The product types that may be reported; empty for any.
    var productTypes: Set<ProductType>
    var hasPercentage: Bool
    /// The members in the order in which errors are reported.
    var members: [(name: String, member: Member, code: Int)]

    /// Apple, ConsumptionRequestV1.
    static let version1 = ConsumptionRules(
        productTypes: [.consumable, .autoRenewable], hasPercentage: false,
        members: [
            ("accountTenure", .number(0...7), 4_000_032), ("appAccountToken", .token, 4_000_033),
            ("consumptionStatus", .number(0...3), 4_000_034), ("customerConsented", .consent, 4_000_035),
            ("deliveryStatus", .number(0...5), 4_000_036), ("lifetimeDollarsPurchased", .number(0...7), 4_000_037),
            ("lifetimeDollarsRefunded", .number(0...7), 4_000_038), ("platform", .number(0...2), 4_000_039),
            ("playTime", .number(0...7), 4_000_040), ("sampleContentProvided", .flag, 4_000_041),
            ("userStatus", .number(0...4), 4_000_042), ("refundPreference", .number(0...3), 4_000_044),
        ])

    /// Apple, ConsumptionRequest.
    static let version2 = ConsumptionRules(
        productTypes: [], hasPercentage: true,
        members: [
            ("customerConsented", .consent, 4_000_035),
            (
                "deliveryStatus",
                .word([
                    "DELIVERED", "UNDELIVERED_QUALITY_ISSUE", "UNDELIVERED_WRONG_ITEM", "UNDELIVERED_SERVER_OUTAGE",
                    "UNDELIVERED_OTHER",
                ]), 4_000_036
            ),
            ("sampleContentProvided", .flag, 4_000_041),
            ("refundPreference", .optionalWord(["DECLINE", "GRANT_FULL", "GRANT_PRORATED"]), 4_000_044),
        ])

    /// - Throws: ``ServerAPIError`` of the first member that is wrong.
    func check(_ values: [String: JSONValue]) throws {
        for (name, member, code) in members where !member.accepts(values[name] ?? .null) {
            throw ServerAPIError(code, "Invalid \(name).")
        }
    }
}

extension ConsumptionRules.Member {
    fileprivate func accepts(_ value: JSONValue) -> Bool {
        switch (self, value) {
        // Zero is "undeclared", and so is an absent member.
        case (.number, .null), (.token, .null), (.optionalWord, .null): true
        case (.number(let range), .integer(let number)): range.contains(number)
        case (.word(let words), .string(let word)), (.optionalWord(let words), .string(let word)): words.contains(word)
        case (.flag, .bool): true
        case (.consent, .bool(let isGiven)): isGiven
        case (.token, .string(let text)): text.isEmpty || UUID(uuidString: text) != nil
        default: false
        }
    }
}
