import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct StoreAnswerTests {
    static let catalog = """
        {"apps": [{"bundleID": "com.example.hangman", "appAppleID": 1234567890, "products": []},
                  {"bundleID": "com.example.nonumber", "products": []}]}
        """

    @Test(
        arguments: [
            ("com.example.hangman", 1_234_567_890, Environment.production, nil, nil),
            ("com.example.hangman", 1_234_567_890, .production, "com.example.hangman", nil),
            ("com.example.hangman", 1_234_567_890, .production, "com.example.nonumber", .bundleID),
            ("com.example.hangman", 1, .production, nil, .appAppleID),
            ("com.example.hangman", nil, .production, nil, nil),
            ("com.example.hangman", nil, .sandbox, nil, nil), ("com.example.hangman", 1, .sandbox, nil, nil),
            ("com.example.nonumber", 5, .production, nil, nil), ("com.example.other", 5, .production, nil, .bundleID),
        ] as [(BundleID, Int?, Environment, BundleID?, ReceiptRejection.Reason?)])
    func `An answer of the store for another app or number is refused`(
        _ app: BundleID, _ number: Int?, _ environment: Environment, _ expected: BundleID?,
        _ reason: ReceiptRejection.Reason?
    ) throws {
        let catalog = try JSONDecoder().decode(Catalog.self, from: Data(Self.catalog.utf8), configuration: [])
        let answer = AppStoreAnswer(
            receipt: VerifiedReceipt(transactions: []), bundleID: app, appAppleID: number, environment: environment,
            unreadableEntries: 0)
        let check = Result { () throws(ReceiptRejection) in try answer.check(against: catalog, expecting: expected) }
        switch check {
        case .success: #expect(reason == nil)
        case .failure(let rejection): #expect(rejection.reason == reason)
        }
    }
}
