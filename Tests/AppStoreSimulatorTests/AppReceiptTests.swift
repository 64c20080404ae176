import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import SwiftASN1
import Testing
import X509

@testable import AppStoreSimulator

@Suite struct AppReceiptTests {
    @Test func `The chain and signature of a simulated app receipt are valid`() async throws {
        try await Shop.open { shop in
            let file = try ReceiptFile(try await shop.buy("consumable")["appReceipt"])
            let root = [UInt8](try await shop.send(.get, "/simulator/v1/receipt-root.cer").body)
            #expect(root == shop.simulator.receiptRootCertificate)
            #expect(file.certificates.count == 3)
            #expect(try await StorePolicy.accepts(file.certificates, root: root, at: shop.clock.now))
            let leaf = file.certificates[0]
            #expect(file.signer.issuer == leaf.issuer)
            #expect(Array(file.signer.serialNumber) == Array(leaf.serialNumber.bytes))
            #expect(
                leaf.publicKey.isValidSignature(
                    Array(file.signature), for: Array(file.content), signatureAlgorithm: .sha256WithRSAEncryption))
        }
    }

    @Test(
        arguments: [
            ("Production", "Production", 1_234_567_890), ("Production", "Production", nil),
            ("Sandbox", "ProductionSandbox", 1_234_567_890),
        ] as [(String, String, Int?)])
    func `A simulated app receipt names its app, version and environment`(
        environment: String, type: String, appAppleID: Int?
    ) async throws {
        try await Shop.open(appAppleID: appAppleID) { shop in
            let bought = try await shop.buy("non-consumable", "words", ["environment": .string(environment)])
            let attributes = try ReceiptFile.attributes(try ReceiptFile(bought["appReceipt"]).content)
            func text(_ type: Int) throws -> String { try ReceiptFile.text(attributes[type]?.first) }
            #expect(try text(0) == type)
            #expect(try text(2) == Shop.app)
            #expect(try text(3) == "1.0")
            #expect(try text(12) == shop.clock.now.rfc3339)
            #expect(try text(18) == "2013-08-01T07:00:00Z")
            #expect(try text(19) == "1.0")
            let number = environment == "Sandbox" ? 0 : appAppleID
            #expect(try attributes[1].map { try ReceiptFile.integer($0.first) } == number)
            let (bundle, opaque) = (try #require(attributes[2]?.first), try #require(attributes[4]?.first))
            let customer = Customer(
                app: BundleID(stored: Shop.app), environment: try #require(.init(known: environment)), name: "common")
            let hash = Insecure.SHA1.hash(data: customer.deviceIdentifier + opaque + bundle)
            #expect(attributes[5]?.first.map { Array($0) } == Array(hash))
        }
    }

    @Test func `A simulated app receipt has the purchases of its customer`() async throws {
        try await Shop.open { shop in
            let subscription = try await shop.buy("auto-renewable", "club", ["period": "P1Y"])
            let consumable = try await shop.buy("consumable", "hints", ["quantity": 2])
            let entries = try Self.entries(consumable["appReceipt"])
            #expect(entries.count == 2)
            let club = try #require(entries[subscription["transactionID"].text])
            let hints = try #require(entries[consumable["transactionID"].text])
            #expect(try ReceiptFile.text(club[1702]?.first) == "club")
            #expect(try ReceiptFile.text(club[1705]?.first) == subscription["originalTransactionID"].text)
            #expect(try ReceiptFile.text(club[1704]?.first) == shop.clock.now.rfc3339)
            #expect(try ReceiptFile.text(club[1708]?.first) == "2027-11-20T21:37:00Z")
            #expect(try ReceiptFile.integer(club[1707]?.first) == 3)
            #expect(try ReceiptFile.integer(club[1711]?.first) > 2_000_000_000_000_000)
            #expect(try ReceiptFile.text(club[1712]?.first) == "")
            #expect(try ReceiptFile.integer(hints[1701]?.first) == 2)
            #expect(try ReceiptFile.integer(hints[1707]?.first) == 1)
            #expect(try ReceiptFile.text(hints[1708]?.first) == "")
            #expect(Set(hints.keys) == Set([1701...1708, 1711...1713, 1719...1719].joined()))
        }
    }

    @Test func `Refunds are in the app receipt, and consumables leave it after a day`() async throws {
        try await Shop.open { shop in
            let words = try await shop.buy("non-consumable", "words", ["customer": "ann lee"])["transactionID"].text
            let hints = try await shop.buy(
                "consumable", "hints", ["customer": "ann lee", "purchaseDate": "2020-01-01T00:00:00Z"])
            #expect(try Self.entries(hints["appReceipt"]).count == 2)
            shop.clock.advance(by: 86_400)
            _ = try await shop.act("transactions/\(words)/refund")
            let uri = "/simulator/v1/customers/ann%20lee/receipt?bundleID=\(Shop.app)"
            #expect(try Self.entries(try await shop.send(.get, uri).json["appReceipt"]).count == 2)
            shop.clock.advance(by: 1)
            let entries = try Self.entries(try await shop.send(.get, uri).json["appReceipt"])
            #expect(Set(entries.keys) == [words])
            #expect(try ReceiptFile.text(entries[words]?[1712]?.first) == "2026-11-21T21:37:00Z")
        }
    }

    @Test func `The app receipts of two customers are separate`() async throws {
        try await Shop.open { shop in
            let token = UUID()
            let orders: [[String: JSONValue]] = [
                [:], ["appAccountToken": .string(token.uuidString)], ["customer": "ann"],
                ["bundleID": "com.example.other"], ["environment": "Sandbox"],
            ]
            for order in orders {
                let bought = try await shop.buy("non-consumable", "words", order)
                #expect(try Self.entries(bought["appReceipt"]).count == 1)
            }
            for name in [token.uuidString, token.text, "ann", "common"] {
                let uri = "/simulator/v1/customers/\(name)/receipt?bundleID=\(Shop.app)"
                let answer = try await shop.send(.get, uri)
                #expect(try Self.entries(answer.json["appReceipt"]).count == 1)
            }
        }
    }

    @Test(
        arguments: [
            ("bob/receipt?bundleID=a", 200), ("bob/receipt", 422), ("bob/receipt?bundleID=", 422),
            ("bob/receipt?bundleID=a&environment=Sandbox", 200), ("bob/receipt?bundleID=a&environment=Xcode", 422),
            ("%00/receipt?bundleID=a", 422), ("%ff/receipt?bundleID=a", 422), ("bob/receipt?bundleID=a&device=1", 422),
        ], [HTTPRequest.Method.get, .post])
    func `The receipt of a customer without purchases is empty`(
        _ asked: (path: String, status: Int), method: HTTPRequest.Method
    ) async throws {
        let (path, status) = asked
        try await Shop.open { shop in
            let answer = try await shop.send(method, "/simulator/v1/customers/\(path)")
            #expect(answer.status.code == status)
            if status == 200 { #expect(try Self.entries(answer.json["appReceipt"]).isEmpty) }
        }
    }

    /// The attributes of each purchase, by transaction ID.
    private static func entries(_ receipt: JSONValue) throws -> [String: [Int: [ArraySlice<UInt8>]]] {
        let entries = try ReceiptFile.attributes(try ReceiptFile(receipt).content)[17] ?? []
        return try Dictionary(
            uniqueKeysWithValues: entries.map { octets in
                let attributes = try ReceiptFile.attributes(octets)
                return (try ReceiptFile.text(attributes[1703]?.first), attributes)
            })
    }
}
