import Foundation
import TestSupport
import Testing

@testable import InAppPurchase

/// The versions that receipts name: compared number by number, if they have Apple's form.
@Suite struct AppVersionTests {
    /// Each version with the ones that are not below it; a text in another form is above all numbers.
    @Test(
        arguments: [
            ("1", "1.0.1"), ("1.2", "1.10"), ("9", "10"), ("1.9.9", "2"), ("2.0", "2.0.0"), ("01.2", "1.02"),
            ("999", "1.2.3.4"), ("7", "1.0-beta"), ("7", "x"), ("7", ""), ("7", "9223372036854775808"), ("a", "b"),
            (nil, nil), ("3", "3"), ("3", nil),
        ] as [(String?, String?)])
    func `The lower of two versions is kept, in whichever order they come`(lower: String?, other: String?) {
        for (first, second) in [(lower, other), (other, lower)] {
            var details = PurchaseDetails()
            details.appVersion = first
            var others = PurchaseDetails()
            others.appVersion = second
            details.fill(from: others)
            #expect(details.appVersion == lower)
        }
    }

    @Test(
        arguments: [
            ("1.10", "1.9", true), ("1.10", "1.10.0", false), ("1.10", "1.10.1", false), ("2", "1.99", true),
            ("2", "1.99-beta", false), ("2", "", false), (nil, "0", false),
        ] as [(String?, String, Bool)])
    func `A version is below the minimum by its numbers`(minimum: String?, version: String, isBelow: Bool) throws {
        let setting = minimum.map { #""minimum": "\#($0)""# } ?? ""
        let catalog = try catalog(#"{"apps": [{"bundleID": "a", "receiptVersions": {\#(setting)}, "products": []}]}"#)
        #expect(catalog.isBelowMinimum(AppVersion(app: "a", text: version)) == isBelow)
        #expect(!catalog.isBelowMinimum(AppVersion(app: "b", text: version)))
    }

    @Test func `The number of a version in the sandbox is none`() {
        #expect(AppVersion(app: "a", text: "1", externalID: 0).externalID == nil)
        #expect(AppVersion(app: "a", text: "1", externalID: 812_345_678).externalID == 812_345_678)
    }
}
