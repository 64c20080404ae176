import Foundation
import InAppPurchase
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import Ledger
@testable import ServerCore
@testable import ServerHTTP

/// An answer that is written by hand is, byte for byte, that of the encoder.
@Suite struct ReceiptBodyTests {
    private static let texts = ["a", "with \"quotes\"", "back\\slash", "a/b", "é", "😀", "\u{7F}", "\n\u{1}"]

    private static func text(_ random: inout SeededGenerator) -> String { texts.randomElement(using: &random) ?? "" }

    private static func date(_ random: inout SeededGenerator) -> Date {
        Date(milliseconds: Int.random(in: 0...4_000_000_000_000, using: &random))
    }

    /// Now and then one that RFC 3339 cannot express, or that is rounded to such a one.
    private static func anyDate(_ random: inout SeededGenerator) -> Date {
        let limits = Date.writableMilliseconds
        let rare = [limits.lowerBound - 1, limits.lowerBound, -1, 0, limits.upperBound, limits.upperBound + 1]
        guard Int.random(in: 0..<4, using: &random) == 0 else { return date(&random) }
        return Date(milliseconds: rare.randomElement(using: &random) ?? 0)
    }

    private static func transaction(_ random: inout SeededGenerator) -> TransactionAnswer {
        let outcomes: [Outcome] = [
            .delivered, .alreadyDelivered, .denied(.expired), .denied(.ownedByAnotherAccount), .denied(.transferred),
        ]
        let transaction = Transaction(
            id: TransactionID(stored: text(&random)), originalID: TransactionID(stored: text(&random)), app: "hangman",
            environment: Bool.random(using: &random) ? .production : .sandbox,
            productID: ProductID(stored: text(&random)), purchaseDate: date(&random), signedDate: date(&random),
            isSigned: true)
        return TransactionAnswer(
            transaction: transaction, outcome: outcomes.randomElement(using: &random) ?? .delivered,
            remedy: Bool.random(using: &random) ? TransferRemedy.allCases.randomElement(using: &random) : nil)
    }

    private static func entitlement(_ random: inout SeededGenerator) -> ProductEntitlement {
        func flip() -> Bool { Bool.random(using: &random) }
        var entitlement = ProductEntitlement(
            scope: Scope(app: BundleID(stored: text(&random)), environment: flip() ? .production : .xcode),
            product: ProductID(stored: text(&random)), type: ProductType(rawValue: text(&random)),
            access: flip() ? .granted(until: flip() ? anyDate(&random) : nil) : .denied(.expired),
            bundles: (0..<Int.random(in: 0..<3, using: &random)).map { _ in BundleName(stored: text(&random)) },
            retained: flip() ? RetainedTimes([date(&random)..<Date(milliseconds: 5_000_000_000_000)]) : RetainedTimes())
        let transaction = Transaction(
            id: "1", originalID: "1", app: "hangman", environment: .production, productID: "a",
            purchaseDate: date(&random), expirationDate: date(&random),
            ownershipType: Transaction.OwnershipType(rawValue: text(&random)), subscriptionGroupID: "20",
            signedDate: date(&random), isSigned: true)
        if flip() { (entitlement.group, entitlement.level) = (text(&random), Int.random(in: 1...9, using: &random)) }
        if flip() { entitlement.purchase = PurchaseFacts(transaction) }
        if flip() {
            entitlement.subscription = SubscriptionStatus(
                period: transaction, renewal: nil, isIntroductoryOfferUsed: flip(), at: date(&random))
        }
        if flip() { entitlement.runs = [DateInterval(start: anyDate(&random), duration: 86_400.5)] }
        entitlement.isGivenBySupport = flip()
        return entitlement
    }

    @Test func `A receipt answer is what the encoder would write`() throws {
        var random = SeededGenerator(seed: 14)
        #expect(Mirror(reflecting: EntitlementBody(Self.entitlement(&random))).children.count == 16)
        for _ in 0..<2_000 {
            var answer = ReceiptAnswer(receipt: Self.text(&random), status: .verified)
            answer.isDuplicate = Bool.random(using: &random)
            answer.rejection = Bool.random(using: &random) ? .signature : nil
            answer.transactions = (0..<Int.random(in: 0..<3, using: &random)).map { _ in Self.transaction(&random) }
            answer.entitlements = (0..<Int.random(in: 0..<3, using: &random)).map { _ in Self.entitlement(&random) }
            for _ in 0..<Int.random(in: 0..<4, using: &random) {
                answer.balances[Currency(stored: Self.text(&random))] = Int.random(in: -9...9_999, using: &random)
            }
            let body = ReceiptBody(answer)
            #expect(Mirror(reflecting: body).children.count == 8)
            for times in [TimeFormat.wholeSeconds, .milliseconds] {
                let (written, encoded) = (try body.json(times: times), try JSONCoding.encode(body, times: times))
                #expect(String(buffer: written) == String(buffer: encoded))
            }
            try listIsThatOfTheEncoder(answer, Self.anyDate(&random), isRestored: Bool.random(using: &random))
        }
    }

    private func listIsThatOfTheEncoder(_ answer: ReceiptAnswer, _ date: Date, isRestored: Bool) throws {
        var list = EntitlementsBody(
            account: answer.receipt, at: date, entitlements: answer.entitlements.map(EntitlementBody.init))
        if isRestored {
            list.receipts = [.init(receipt: "r", status: .pending, finish: false, provisionalUntil: date)]
        } else {
            (list.balances, list.signed) = (answer.balances, "a.b.c")
        }
        #expect(Mirror(reflecting: list).children.count == 6)
        for times in [TimeFormat.wholeSeconds, .milliseconds] {
            let (written, encoded) = (try list.json(times: times), try JSONCoding.encode(list, times: times))
            #expect(String(buffer: written) == String(buffer: encoded))
        }
    }
}
