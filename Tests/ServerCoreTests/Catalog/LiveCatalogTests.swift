import Foundation
import GRDB
import HTTPTypes
import InAppPurchase
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import LedgerSQL
@testable import LedgerSQLite
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// `products.json` changes while the server runs.
@Suite struct LiveCatalogTests {
    @Test func `A good change of the catalog is served at the next look`() async throws {
        try await World.run(products: SampleCatalog.text(SampleCatalog.hints)) { world in
            var seen = CatalogWatcher.Seen()
            let before = try await world.productList()
            #expect(before.json["productIDs"] == ["com.example.hangman.tenhints"])
            try world.write(SampleCatalog.text(SampleCatalog.words, SampleCatalog.hints))
            try await world.lookAtCatalog(&seen)
            let after = try await world.productList()
            #expect(after.json["productIDs"] == ["com.example.hangman.hardwords", "com.example.hangman.tenhints"])
            #expect(after.json["revision"] != before.json["revision"])
            #expect(after.headers[.eTag] != before.headers[.eTag])
        }
    }

    @Test func `A bad change is reported once, and the old catalog stays`() async throws {
        let log = LogRecorder()
        try await World.run(products: SampleCatalog.text(SampleCatalog.hints), logger: log.logger(.error)) { world in
            var seen = CatalogWatcher.Seen()
            let before = try await world.productList()
            for round in 1...2 {
                try world.write(SampleCatalog.text(SampleCatalog.hints, SampleCatalog.bad))
                for look in 1...5 {
                    try await world.lookAtCatalog(&seen)
                    #expect(log.lines.count == (look == 1 ? round - 1 : round))
                }
                #expect(log.lines.last?.contains("apps[0].products[1].type") == true, "\(log.lines)")
                #expect(log.lines.last?.contains("products.json") == true)
                #expect(try await world.productList().bytes == before.bytes)
                try world.write(SampleCatalog.text(SampleCatalog.hints))
                try await world.lookAtCatalog(&seen)
            }
            #expect(log.lines.count == 2)
        }
    }

    @Test func `A half-written catalog is read again before it is reported`() async throws {
        let log = LogRecorder()
        try await World.run(products: SampleCatalog.text(SampleCatalog.hints), logger: log.logger(.error)) { world in
            var seen = CatalogWatcher.Seen()
            let whole = SampleCatalog.text(SampleCatalog.hints, SampleCatalog.words)
            for length in stride(from: 0, to: whole.count, by: 7) {
                try world.write(String(whole.prefix(length)))
                try await world.lookAtCatalog(&seen)
                // A file that one look finds half-written is longer at the next.
                try world.write(String(whole.prefix(length + 3)))
                try await world.lookAtCatalog(&seen)
                (seen.bad, seen.reported) = (nil, nil)
            }
            try FileManager.default.removeItem(at: world.folder.appending(path: "products.json"))
            try await world.lookAtCatalog(&seen)
            try world.write(whole)
            try await world.lookAtCatalog(&seen)
            #expect(try await world.productList().json["productIDs"].array.count == 2)
            #expect(log.lines.filter { $0.contains("cannot be read") } == [])
        }
    }

    @Test func `A purchase is delivered as soon as the catalog has its product`() async throws {
        try await World.run(products: SampleCatalog.text(SampleCatalog.words)) { world in
            var seen = CatalogWatcher.Seen()
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable", ["quantity": 2]).signedTransaction
            let early = try await world.post(bought, as: player)
            #expect(early.status == 200 && early.json["status"] == "verified")
            let transaction = early.json["transactions"][0]
            #expect(transaction["outcome"] == "denied" && transaction["reason"] == "unknownProduct")
            #expect(transaction["finish"] == false && early.json["balances"] == [:])

            try world.write(SampleCatalog.text(SampleCatalog.words, SampleCatalog.hints))
            try await world.lookAtCatalog(&seen)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 20])
            let again = try await world.post(bought, as: player).json
            #expect(again["duplicate"] == true && again["transactions"][0]["outcome"] == "alreadyDelivered")
            #expect(again["transactions"][0]["finish"] == true && again["balances"] == ["hints": 20])
            #expect(
                try await world.call(.get, "/v1/receipts/\(early.json["receipt"].text ?? "")", as: player)
                    .json["transactions"][0]["outcome"] == "alreadyDelivered")
        }
    }

    @Test func `A changed catalog is applied at a later look when the ledger is busy`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).sqlite").path
        defer { for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let ledger = try SQLiteLedger.open(path: path, handlers: Server.standardHandlers)
        try await World.run(products: SampleCatalog.text(SampleCatalog.words), ledger: ledger) { world in
            var seen = CatalogWatcher.Seen()
            let player = try await world.newPlayer()
            _ = try await world.post(world.buy("tenhints", "consumable").signedTransaction, as: player)
            try world.write(SampleCatalog.text(SampleCatalog.words, SampleCatalog.hints))
            // Another process writes for longer than a write waits.
            var configuration = GRDB.Configuration()
            configuration.allowsUnsafeTransactions = true
            let other = try DatabaseQueue(path: path, configuration: configuration)
            try await other.writeWithoutTransaction { try $0.beginTransaction(.immediate) }
            try await world.lookAtCatalog(&seen)
            try await other.writeWithoutTransaction { try $0.commit() }
            #expect(try await world.entitlements(of: player)["balances"] == [:])
            try await world.lookAtCatalog(&seen)
            #expect(try await world.entitlements(of: player)["balances"] == ["hints": 10])
        }
    }
}
