import Foundation
import InAppPurchase
import ServerTestSupport
import Testing

@testable import AdminPages
@testable import AppStoreService
@testable import CommandLine
@testable import LedgerSQL
@testable import ServerCore
@testable import ServerHTTP

/// A receipt is known by its bytes, in whatever base64 they are sent.
@Suite struct ReceiptDigestTests {
    /// The same bytes in other characters.
    private static func variants(of base64: String) -> [String] {
        let broken = Data(base64Encoded: base64)?.base64EncodedString(options: [.lineLength64Characters])
        return [base64, broken, base64.replacing("+", with: " "), "\(base64.prefix(4))\t\(base64.dropFirst(4))"]
            .compactMap(\.self)
    }

    @Test(arguments: ["local", "verifyReceipt"])
    func `The same bytes in other base64 are the same receipt`(judge: String) async throws {
        try await World.run(environment: ["QUARTERMASTER_APP_RECEIPTS": judge]) { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            for sent in [bought.appReceipt, bought.transactionReceipt] {
                let variants = Self.variants(of: sent)
                let first = try await world.post(sent, as: player)
                #expect(first.status == 200 && Set(variants).count >= 3, "\(first)")
                for text in variants {
                    let again = try await world.post(text, as: player)
                    #expect(again.json["receipt"] == first.json["receipt"] && again.json["duplicate"] == true)
                }
            }
            let ledger = try #require(world.ledger as? SQLLedger)
            let rows = try await ledger.read { try $0.one("SELECT count(*) AS n FROM receipts", [])?["n"] as Int? }
            #expect(rows == 2)
            #expect(try await world.auditRows(of: "receipt.presentedAgain") == [])
        }
    }

    /// Bits after the last byte mean nothing.
    @Test func `Unused bits of base64 make no other receipt`() throws {
        let (sent, other) = (Receipt.Digests(of: "MIA=", .appReceipt), Receipt.Digests(of: "MIB=", .appReceipt))
        #expect(sent.digest == other.digest && sent.text != other.text)
    }

    /// Otherwise base64 of a transaction ID would be the same receipt as the ID, which proves nothing.
    @Test(arguments: [("0123", Receipt.Kind.transactionID), ("0a.b.c", .signedTransaction)])
    func `Base64 of a text is another receipt than the text`(text: String, kind: Receipt.Kind) {
        let sent = Receipt.Digests(of: text, kind)
        let wrapped = Receipt.Digests(of: Data(text.utf8).base64EncodedString(), .appReceipt)
        #expect(sent.digest != wrapped.digest && sent.text == nil && wrapped.text == nil)
    }
}
