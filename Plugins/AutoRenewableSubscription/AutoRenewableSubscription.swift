import Foundation
public import InAppPurchase

/// A subscription that the App Store renews and ends. A customer has one product of a subscription group at a time.
public struct AutoRenewableSubscription: ProductHandler, Equatable {
    public static let productType = ProductType.autoRenewable
    public static let settings = [
        ProductSetting(
            "renewalLeewayMinutes",
            "How long access goes on after a period that is about to be renewed, in minutes from 0 to 60; 5 if it is "
                + "not said.", label: "Minutes for a late renewal")
    ]

    /// The range of the setting. A subscription that is not renewed an hour after its period is not renewed as usual.
    private static let leewayMinuteBounds = 0...60
    /// The default leeway: renewals are signed around the end of a period, and notifications take a minute or two to
    /// arrive.
    private static let usualLeewayMinutes = 5

    /// The subscription group in App Store Connect, whose products share a history; `nil` if the product has its own.
    public var group: String?
    /// The rank in the group, `1` the highest; `nil` is below all others.
    public var level: Int?
    /// How long access continues after a period that the App Store is about to renew, in minutes; `nil` means 5.
    public var renewalLeewayMinutes: Int?

    public init(group: String? = nil, level: Int? = nil, renewalLeewayMinutes: Int? = nil) {
        self.group = group
        self.level = level
        self.renewalLeewayMinutes = renewalLeewayMinutes
    }

    /// - Throws: `DecodingError` if `renewalLeewayMinutes` is not a whole number in 0...60.
    public init(from decoder: any Decoder) throws {
        let entry = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            group: try entry.decodeIfPresent(String.self, forKey: .group),
            level: try entry.decodeWholeNumbersIfPresent(Int.self, forKey: .level),
            renewalLeewayMinutes: try entry.decodeWholeNumberIfPresent(
                in: Self.leewayMinuteBounds, forKey: .renewalLeewayMinutes))
    }

    var leeway: TimeInterval { TimeInterval(renewalLeewayMinutes ?? Self.usualLeewayMinutes) * 60 }
}
