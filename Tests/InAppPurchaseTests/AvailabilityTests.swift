import Foundation
import InAppPurchase
import Testing

@Suite struct AvailabilityTests {
    typealias Client = Availability.Client

    static func availability(_ members: String) throws -> Availability {
        let entry = #"{"id": "p", "type": "non-consumable""# + members + "}"
        return try product(entry).availability
    }

    static let from = #", "availableFrom": "2026-01-02T00:00:00Z""#
    static let until = #", "availableUntil": "2026-01-05T00:00:00Z""#

    @Test(arguments: [
        ("", 0, true), (from, 0, false), (from, 1, true), (from, 9, true), (until, 3, true), (until, 4, false),
        (from + until, 0, false), (from + until, 2, true), (from + until, 4, false),
    ])
    func `A product is on sale in its time only`(members: String, date: Int, expected: Bool) throws {
        #expect(try Self.availability(members).includes(Client(), at: day(date)) == expected)
    }

    @Test(
        arguments: [
            ("1.10", "1.9", false), ("1.10", "1.10", true), ("1.10", "1.11", true), ("1.9", "1.10", true),
            ("2.0", "2", true), ("2", "2.0.0", true), ("2.0.1", "2", false), ("2", "10", true), ("10", "2", false),
            ("1.2.0", "1.2.0-beta.1", false), ("1.2.0-beta.1", "1.2", true), ("1.2.0-beta.2", "1.2.0-beta.10", true),
            ("1.2.0+7", "1.2.0+5", true), ("1.2", "1.2.0+5", true), ("1.2+5", "1.1.9+9", false),
            ("1.10", nil, true), ("0", "", false), ("0", "garbage", false), ("1.10", "v2", false),
            ("1.0", "1.2.3.4", false),
            ("1.0", String(repeating: "9", count: 10_000), false),
            ("1.0", String(repeating: ".", count: 10_000), false),
            (nil, "garbage", true), (nil, "", true), (nil, "0-0", true),
        ] as [(String?, String?, Bool)])
    func `A product is offered from its minimum app version`(minimum: String?, version: String?, expected: Bool) throws
    {
        let availability = try Self.availability(minimum.map { #", "minimumAppVersion": "\#($0)""# } ?? "")
        #expect(availability.includes(Client(appVersion: version), at: day(0)) == expected)
    }

    static let ios = #", "platforms": ["ios", "macos"]"#
    static let germany = #", "storefronts": ["DEU"]"#

    @Test(arguments: [
        (ios, Client(platform: "ios"), true), (ios, Client(platform: "tvos"), false), (ios, Client(), true),
        (germany, Client(storefront: "DEU"), true), (germany, Client(storefront: "FRA"), false),
        (ios, Client(platform: "iOS"), true), (#", "platforms": ["iOS"]"#, Client(platform: "ios"), true),
        (ios, Client(platform: ""), false), (ios, Client(platform: "amiga"), false),
        (germany, Client(storefront: "deu"), true), (#", "storefronts": ["deu"]"#, Client(storefront: "DEU"), true),
        (germany, Client(storefront: "DE"), false), (germany, Client(storefront: ""), false),
        (germany, Client(storefront: "143443"), false), ("", Client(platform: "amiga", storefront: "\0"), true),
        (germany, Client(platform: "tvos"), true), (#", "platforms": []"#, Client(platform: "ios"), false),
        (ios + germany, Client(platform: "ios", storefront: "FRA"), false),
        (ios + germany, Client(platform: "ios", storefront: "DEU"), true),
    ])
    func `A product is offered on its platforms and storefronts`(members: String, client: Client, expected: Bool) throws
    {
        #expect(try Self.availability(members).includes(client, at: day(0)) == expected)
    }
}
