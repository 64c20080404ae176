import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import LedgerPostgres
import PostgresSupport
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import Content
@testable import QuartermasterServer
@testable import ServerCore

/// The server on PostgreSQL, which goes away and comes back.
@Suite struct DatabaseOutageTests {
    @Test func `Requests that need no ledger are answered during an outage of PostgreSQL`() async throws {
        let postgres = try PostgresServer()
        let ledger = try PostgresLedger.open(
            url: postgres.newLedger(), handlers: Server.standardHandlers, limits: .patient)
        try await World.run(ledger: ledger) { world in
            let player = try await world.newPlayer()
            let early = try await world.buy("tenhints", "consumable")
            let late = try await world.buy("hardwords", "non-consumable")
            #expect(try await world.post(early.signedTransaction, as: player).status == 200)
            let link = try Self.link(in: world)
            try postgres.stop()

            #expect(try await world.call(.get, "/v1/apps/\(World.app)/products").status == 200)
            #expect(try await world.call(.get, link).status == 200)
            let refused = [
                try await world.call(.post, "/v1/accounts"), try await world.post(late.signedTransaction, as: player),
                try await world.call(.get, "/v1/entitlements", as: player),
            ]
            for answer in refused {
                #expect(answer.status == 503 && answer.headers[.retryAfter] == "10")
                #expect(answer.json["code"].text == "storage_unavailable")
            }

            try postgres.start()
            for receipt in [early, late, late] {
                #expect(try await world.post(receipt.signedTransaction, as: player).status == 200)
            }
            #expect(try await world.entitlements(of: player)["balances"]["hints"] == 10)
            _ = try await world.ledger.checkAccounts(at: world.clock.now) { Issue.record("\($0)") }
        }
    }

    @Test func `The server is ready again once PostgreSQL can be written again`() async throws {
        let postgres = try PostgresServer()
        let ledger = try PostgresLedger.open(
            url: postgres.newLedger(), handlers: Server.standardHandlers, limits: .patient)
        try await World.run(ledger: ledger) { world in
            let watch = try #require(world.assembly.services.compactMap { $0 as? LedgerWatch }.first)
            let admin = try await world.newAdmin(.read)
            let alarm = {
                let overview = try await world.call(.get, "/admin/v1/overview", as: admin)
                return overview.json["alarms"].array.first { $0["alarm"] == "ledgerNotWritable" }?["level"]
            }
            #expect(try await alarm() == "good")
            try postgres.stop()
            #expect(try await world.call(.post, "/v1/accounts").status == 503)
            await watch.runOnce()
            try postgres.start()
            #expect(try await world.call(.get, "/ready").status == 503)
            #expect(try await alarm() == "bad")
            await watch.runOnce()
            #expect(try await world.call(.get, "/ready").status == 200)
            #expect(try await alarm() == "good")
        }
    }

    /// The address of a file, with a fresh link.
    private static func link(in world: World) throws -> String {
        let routes = world.assembly.routes
        let manifest = (routes.services.content as? FolderRepository)?.manifest(of: "hard-words", version: nil)
        let sha256 = try #require(manifest?.files.first?.sha256)
        let expires = GrantSigner.expiry(at: world.clock.now)
        let grant = routes.services.grants.signer.grant(for: sha256, expires: expires, at: world.clock.now)
        return "/v1/content/\(sha256)?grant=\(grant)"
    }

    /// The command line, on a database that is empty, and then not.
    @Test func `Commands show no password of the database`() throws {
        let postgres = try PostgresServer.shared.get()
        let url = postgres.urlByTCP(try postgres.newDatabase())
        let none = #expect(throws: CommandError.self) {
            try LedgerOpener.openExisting(url, handlers: Server.standardHandlers)
        }
        #expect("\(none as Any)".contains("there is no ledger in the database"))
        #expect(throws: Never.self) { try LedgerOpener.open(url, handlers: Server.standardHandlers) }
        #expect(throws: Never.self) { try LedgerOpener.openExisting(url, handlers: Server.standardHandlers) }
        let wrong = #expect(throws: CommandError.self) {
            try LedgerOpener.open(postgres.urlByTCP(password: "hushhush"), handlers: Server.standardHandlers)
        }
        #expect("\(wrong as Any)".contains("password authentication failed"))
        #expect(!"\(wrong as Any)".contains("hushhush"))
    }
}
