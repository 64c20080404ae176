import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

/// The hint that an iOS 6 transaction receipt contains.
@Suite struct TransactionReceiptHintTests {
    static let purchase = """
        {
        \t"original-purchase-date-pst" = "2012-04-30 08:05:55 America/Los_Angeles";
        \t"transaction-id" = "1000000046178817";
        \t"bid" = "com.example.hangman"; quantity = 1;
        }
        """

    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }

    static func receipt(_ purchase: String, and more: String = "") -> String {
        base64("{\n\t\"signature\" = \"AkI\";\n\t\"purchase-info\" = \"\(base64(purchase))\";\n\(more)\n}")
    }

    @Test func `The hints in a production receipt are read`() throws {
        let hint = try TransactionReceiptHint(base64: Self.receipt(Self.purchase, and: "pod = 100;"))
        #expect(hint.transactionID == "1000000046178817" && hint.bundleID == "com.example.hangman")
    }

    @Test func `The hints in a sandbox receipt are read`() throws {
        let receipt = Self.receipt(#"{"transaction-id" = "7";}"#, and: #""environment" = "Sandbox";"#)
        let hint = try TransactionReceiptHint(base64: receipt)
        #expect(hint.bundleID == nil && hint.transactionID == "7")
    }

    @Test(arguments: [
        (receipt(purchase, and: #""environment" = "Xcode";"#), ReceiptRejection.Reason.environment),
        (receipt(""), .malformed), (receipt("{}"), .malformed),
        (receipt(#"{"transaction-id" = "x";}"#), .malformed),
        (receipt(#"{"transaction-id" = "-1";}"#), .malformed), (receipt(#"{"transaction-id" = 1}"#), .malformed),
        (receipt(#"{"transaction-id" = 1;"transaction-id" = 2;}"#), .malformed),
        (receipt(#"{"transaction-id" = {"transaction-id" = 1;};}"#), .malformed),
        (receipt(#"{"transaction-id" = (1);}"#), .malformed), (receipt(#"{"transaction-id" = <31>;}"#), .malformed),
        (receipt(#"{"transaction-id" = "1";} "#) + "!", .malformed), (receipt(purchase + "}"), .malformed),
        (receipt(#"{"transaction-id = 1;}"#), .malformed), (receipt(#"{"transaction-id" = "1\"#), .malformed),
        (receipt(#"{"transaction-id" = "123456789012345678901";}"#), .malformed),
        (receipt(purchase, and: #""purchase-info" = "e30=";"#), .malformed),
        (base64("{\"purchase-info\" = \"!\";}"), .malformed), (base64("{}"), .malformed), ("", .malformed),
        (base64(String(repeating: "{a=", count: 10_000)), .malformed),
        (base64("{" + String(repeating: "(", count: 40_000)), .malformed),
        (base64("{" + (0..<200).map { "k\($0)=v;" }.joined() + "}"), .malformed),
        (receipt(purchase, and: "pad = \"\(String(repeating: "x", count: 64 << 10))\";"), .malformed),
        (Data([0x7B, 0x22, 0xFF, 0x22, 0x3D, 0x31, 0x3B, 0x7D]).base64EncodedString(), .malformed),
    ])
    func `A text that is no transaction receipt is refused`(_ receipt: String, _ reason: ReceiptRejection.Reason) {
        #expect(throws: ReceiptRejection(reason)) { try TransactionReceiptHint(base64: receipt) }
    }

    @Test(arguments: 1...20) func `No text traps the reader of transaction receipts`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let text = random.text(
                of: ["{", "}", "\"", "=", ";", "\\", " ", "transaction-id", "1", "é", "\u{0}"], upTo: 30)
            _ = try? TransactionReceiptHint(base64: Self.receipt(text, and: text))
        }
    }
}

@Suite(.enabled(if: Vectors.folder != nil, "QUARTERMASTER_VECTORS names no folder"))
struct TransactionReceiptVectorTests {
    @Test func `The transaction receipt of Apple's library is read`() throws {
        let receipt = try Vectors.text("apple-library/mock_signed_data/legacyTransaction")
        #expect(try TransactionReceiptHint(base64: receipt).transactionID == "33993399")
    }
}
