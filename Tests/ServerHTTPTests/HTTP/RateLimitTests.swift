import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import LedgerSQLite
import NIOCore
import ServerTestSupport
import StoreClient
import Testing

@testable import AppStore
@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// A client that sends too much is told to wait, and nothing of it is recorded; others notice nothing.
@Suite struct RateLimitTests {
    static let twoForgeries = [
        "QUARTERMASTER_LIMITS_NOTIFICATION_BURST": "2", "QUARTERMASTER_LIMITS_NOTIFICATIONS_PER_MINUTE": "6",
    ]
    @Test func `The receipts of one account are limited without affecting others`() async throws {
        try await World.run(environment: World.threeReceipts) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            let device = try await world.secondDevice(of: player)
            let receipt = try await world.buy("tenhints", "consumable").signedTransaction
            for text in ["x", "y", "{"] { #expect(try await world.post(text, as: player).status == 422) }
            let commits = try await world.scrape().commits
            for sender in [player, device] {
                let answer = try await world.post(receipt, as: sender)
                answer.expect(.tooManyRequests)
                #expect(answer.headers[.retryAfter] == "10" && answer.json["receipt"] == .null)
            }
            #expect(try await world.scrape().commits == commits)
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"receipts\"}"] == "2")
            #expect(try await world.entitlements(of: player)["balances"] == [:])
            #expect(try await world.post("x", as: other).status == 422)
            world.clock.advance(by: 10)
            #expect(try await world.post(receipt, as: player).json["balances"] == ["hints": 10])
            try await world.post(receipt, as: player).expect(.tooManyRequests)
        }
    }

    @Test func `Each receipt of a restore counts towards the limit`() async throws {
        try await World.run(environment: World.threeReceipts) { world in
            let player = try await world.newPlayer()
            func restore(_ count: Int) async throws -> Answer {
                let receipts = (0..<count).map { JSONValue.string("x\($0)") }
                return try await world.call(.post, "/v1/restore", ["receipts": .array(receipts)], as: player)
            }
            #expect(try await restore(2).json["receipts"].array.count == 2)
            let commits = try await world.scrape().commits
            let answer = try await restore(2)
            answer.expect(.tooManyRequests)
            #expect(answer.headers[.retryAfter] == "10")
            #expect(try await world.scrape().commits == commits)
            // The remaining token was not taken.
            #expect(try await restore(1).status == 200)
            // More than a bucket holds wait for a full one, not for ever.
            let large = try await restore(50)
            #expect(large.status == 429 && large.headers[.retryAfter] == "10")
            world.clock.advance(by: 30)
            #expect(try await restore(50).status == 200)
            #expect(try await restore(1).status == 429)
        }
    }

    /// Each takes a row of the audit trail.
    @Test func `Unreadable bodies count towards the limit of receipts`() async throws {
        try await World.run(environment: World.threeReceipts) { world in
            let player = try await world.newPlayer()
            for path in ["/v1/receipts", "/v1/restore", "/v1/receipts", "/v1/receipts"] {
                let answer = try await world.call(.post, path, [7], as: player)
                let isFourth = try await world.scrape()["quartermaster_rate_limited_total{limit=\"receipts\"}"] == "1"
                answer.expect(isFourth ? .tooManyRequests : .invalid, "\(path)")
            }
            #expect(try await world.post("x", as: player).status == 429)
        }
    }

    /// A player's worst day, by default: six full restores in a row.
    @Test func `Six full restores in a row stay within the default limits`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let receipts = JSONValue.array((0..<100).map { .string("x\($0)") })
            for _ in 1...6 {
                #expect(try await world.call(.post, "/v1/restore", ["receipts": receipts], as: player).status == 200)
            }
            let answer = try await world.post("x", as: player)
            #expect(answer.status == 429 && answer.headers[.retryAfter] == "1")
        }
    }

    @Test func `New accounts of an address are limited, and nothing else from there is`() async throws {
        let limits = ["QUARTERMASTER_LIMITS_ACCOUNT_BURST": "1", "QUARTERMASTER_LIMITS_ACCOUNTS_PER_MINUTE": "1"]
        try await World.run(environment: limits) { world in
            let player = try await world.newPlayer()
            let commits = try await world.scrape().commits
            let answer = try await world.call(.post, "/v1/accounts")
            answer.expect(.tooManyRequests)
            #expect(answer.headers[.retryAfter] == "60")
            #expect(try await world.scrape().commits == commits)
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"accounts\"}"] == "1")
            #expect(try await world.entitlements(of: player)["account"].text == player.account)
            _ = try await world.secondDevice(of: player)
            world.clock.advance(by: 60)
            _ = try await world.newPlayer()
        }
    }

    /// Whoever has a recovery code can use up the sessions of that account, not of an address.
    @Test func `New sessions of an account are limited, and those of others are not`() async throws {
        let limits = ["QUARTERMASTER_LIMITS_SESSION_BURST": "2", "QUARTERMASTER_LIMITS_SESSIONS_PER_MINUTE": "1"]
        try await World.run(environment: limits) { world in
            let (player, other) = (try await world.newPlayer(), try await world.newPlayer())
            for _ in 1...2 { _ = try await world.secondDevice(of: player) }
            let commits = try await world.scrape().commits
            let answer = try await world.call(
                .post, "/v1/sessions", ["recoveryCode": .string(player.recoveryCode)])
            answer.expect(.tooManyRequests)
            #expect(answer.headers[.retryAfter] == "60")
            #expect(try await world.scrape().commits == commits)
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"sessions\"}"] == "1")
            _ = try await world.secondDevice(of: other)
            _ = try await world.newPlayer()
            #expect(try await world.entitlements(of: player)["account"].text == player.account)
            world.clock.advance(by: 60)
            _ = try await world.secondDevice(of: player)
        }
    }

    /// Ten wrong codes at once; then one a minute. Correct ones cost nothing, and are never refused: behind a proxy
    /// that is not in `trustedProxies`, everybody has the address of whoever guesses.
    @Test func `Wrong recovery codes are limited, and right ones never`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let wrong: JSONValue = ["recoveryCode": "wrong"]
            for _ in 1...20 { _ = try await world.secondDevice(of: player) }
            let commits = try await world.scrape().commits
            for _ in 1...10 { #expect(try await world.call(.post, "/v1/sessions", wrong).status == 401) }
            for _ in 1...3 {
                try await world.call(.post, "/v1/sessions", wrong).expect(.tooManyRequests)
                world.clock.advance(by: 60)
                #expect(try await world.call(.post, "/v1/sessions", wrong).status == 401)
            }
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"recoveryCodes\"}"] == "3")
            #expect(try await world.scrape().commits == commits, "a wrong code waits for no write")
            try await world.call(.post, "/v1/sessions", wrong).expect(.tooManyRequests)
            _ = try await world.secondDevice(of: player)
        }
    }

    /// If the store and a forger have the same address, the store is still heard.
    @Test func `Forged notifications are limited, and genuine ones never`() async throws {
        let (store, forger) = (try SigningAuthority(), try SigningAuthority())
        try await World.run(environment: Self.twoForgeries, roots: [store.root]) { world in
            #expect(try await world.receive(0, by: store).status == 200)
            for number in 1...2 {
                let answer = try await world.receive(number, by: forger)
                #expect(answer.status == 422 && answer.json["code"] == "notification_rejected", "\(answer)")
            }
            for number in 3...5 {
                let refused = try await world.receive(number, by: forger)
                refused.expect(.tooManyRequests)
                #expect(refused.headers[.retryAfter] == "10")
                #expect(try await world.receive(number, by: store).status == 200)
            }
            world.clock.advance(by: 10)
            #expect(try await world.receive(6, by: forger).status == 422)
            #expect(try await world.scrape()["quartermaster_rate_limited_total{limit=\"notifications\"}"] == "3")
        }
    }

    /// The App Store sends no body that large; whoever does still makes the server read it.
    @Test func `Notifications that are too large count as forgeries`() async throws {
        try await World.run(environment: Self.twoForgeries) { world in
            let large = ByteBuffer(repeating: UInt8(ascii: " "), count: BodyLimits.notification.maximumBytes + 1)
            var statuses: [Int] = []
            for _ in 0..<4 { statuses.append(try await world.send(.post, "/v1/notifications/app-store", large).status) }
            #expect(statuses == [413, 413, 429, 429])
        }
    }

    /// Whoever signed it: the first genuine notification after a start must be heard too.
    @Test func `Beyond the limit genuine notifications are heard, also of new signers`() async throws {
        let (store, other, forger) = (try SigningAuthority(), try SigningAuthority(), try SigningAuthority())
        try await World.run(environment: Self.twoForgeries, roots: [store.root, other.root]) { world in
            for number in 0...1 { #expect(try await world.receive(number, by: forger).status == 422) }
            for number in 2...4 {
                try await world.receive(number, by: forger).expect(.tooManyRequests)
                #expect(try await world.receive(number, by: number == 4 ? other : store).status == 200)
            }
            // Nor after a quarter of an hour without any, when chains are verified again.
            world.clock.advance(by: 3_600)
            for number in 5...6 { #expect(try await world.receive(number, by: forger).status == 422) }
            try await world.receive(7, by: forger).expect(.tooManyRequests)
            #expect(try await world.receive(7, by: store).status == 200)
        }
    }

    /// Forged chains of an address fill its places in the queue of unknown signers, also right after a restart.
    @Test func `After a restart known signers wait behind no forged ones`() async throws {
        let (store, forger) = (try SigningAuthority(), try SigningAuthority())
        let ledger = try SQLiteLedger.inMemory(handlers: Server.standardHandlers)
        try await World.run(ledger: ledger, roots: [store.root]) { world in
            let reported = try await world.receive(0, by: store)
            #expect(reported.status == 200)
            await world.assembly.store.signers.stop()
        }
        try await World.run(ledger: ledger, environment: Self.twoForgeries, roots: [store.root]) { world in
            for number in 1...2 { #expect(try await world.receive(number, by: forger).status == 422) }
            let address = try #require(IPAddress("127.0.0.1"))
            let queue = world.assembly.store.verifier.signedData.chains.queue
            try await queue.whileFull(of: Sender(address: address.value)) {
                let (forged, genuine) = (try await world.receive(3, by: forger), try await world.receive(4, by: store))
                #expect(forged.status == 503 && genuine.status == 200, "\(forged) \(genuine)")
            }
        }
    }

    /// Notifications of an address that has sent forgeries count before they are read, and not if they prove genuine.
    @Test func `A forger's notifications are counted before they are read`() async throws {
        try await World.run(environment: Self.twoForgeries) { world in
            let (path, budget) = ("/v1/notifications/app-store", world.assembly.routes.services.bodies)
            #expect(try await world.call(.post, path, [:]).status == 422)
            try await RawConnection.open(port: world.port) { inbound, outbound in
                try await outbound.write(
                    ByteBuffer(string: "POST \(path) HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{"))
                try await poll("it is being read") { budget.reservedBytes > 0 }
                try await world.call(.post, path, [:]).expect(.tooManyRequests)
                let large = ByteBuffer(repeating: 0x20, count: 1 << 20)
                try await world.send(.post, path, large).expect(.tooManyRequests)
            }
            try await poll("it is over") { budget.reservedBytes == 0 }
            #expect(try await world.call(.post, path, [:]).status == 422)
            try await world.call(.post, path, [:]).expect(.tooManyRequests)
        }
    }

    /// Behind a trusted proxy everybody is counted separately; what a client adds to the header helps nobody.
    @Test func `Limits are counted by the addresses that a trusted proxy saw`() async throws {
        let environment = [
            "QUARTERMASTER_TRUSTED_PROXIES": "127.0.0.0/8,10.0.0.0/8", "QUARTERMASTER_LIMITS_ACCOUNT_BURST": "1",
        ]
        let calls: [(from: String, status: Int)] = [
            ("198.51.100.1", 201), ("198.51.100.1", 429), ("198.51.100.2", 201), ("9.9.9.9, 198.51.100.2", 429),
            ("198.51.100.2:4711, 10.0.0.9", 429), ("::ffff:198.51.100.2", 429), ("2001:db8:1:2::1", 201),
            ("[2001:db8:1:2:ffff::1]:443", 429), ("2001:db8:1:3::1", 201), ("nonsense", 201), ("10.0.0.9, ", 429),
        ]
        try await World.run(environment: environment) { world in
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            for (address, status) in calls {
                let answer = try await world.call(.post, "/v1/accounts", headers: [name: address])
                #expect(answer.status == status, "\(address): \(answer)")
            }
        }
        try await World.run(environment: ["QUARTERMASTER_LIMITS_ACCOUNT_BURST": "1"]) { world in
            let name = try #require(HTTPField.Name("X-Forwarded-For"))
            for (address, status) in [("198.51.100.1", 201), ("198.51.100.2", 429)] {
                #expect(try await world.call(.post, "/v1/accounts", headers: [name: address]).status == status)
            }
        }
    }

    @Test func `A limit can be switched off`() async throws {
        let environment = [
            "QUARTERMASTER_LIMITS_RECEIPTS_PER_MINUTE": "off", "QUARTERMASTER_LIMITS_RECEIPT_BURST": "1",
            "QUARTERMASTER_LIMITS_RECOVERY_CODES_PER_MINUTE": "off", "QUARTERMASTER_LIMITS_ACCOUNT_BURST": "0",
        ]
        try await World.run(environment: environment) { world in
            let player = try await world.newPlayer()
            for _ in 1...20 {
                #expect(try await world.post("x", as: player).status == 422)
                #expect(try await world.call(.post, "/v1/sessions", ["recoveryCode": "wrong"]).status == 401)
            }
        }
    }
}

extension World {
    /// Posts a test notification of version 2.
    fileprivate func receive(_ number: Int, by authority: SigningAuthority) async throws -> Answer {
        let payload: JSONValue = [
            "notificationType": "TEST", "version": "2.0",
            "notificationUUID": .string("00000000-0000-4000-8000-00000000000\(number)"),
            "signedDate": .integer(clock.now.milliseconds),
            "data": [
                "bundleId": .string(Self.app), "appAppleId": .integer(Self.appAppleID), "environment": "Production",
            ],
        ]
        return try await call(
            .post, "/v1/notifications/app-store", ["signedPayload": .string(try authority.jws(payload))])
    }
}
