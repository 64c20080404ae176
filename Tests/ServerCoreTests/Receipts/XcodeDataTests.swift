import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import ServerTestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Data signed by Xcode's StoreKit testing, if the app's setting names its certificate; and app transactions.
@Suite struct XcodeDataTests {
    private let authority: SigningAuthority

    init() throws { authority = try SigningAuthority() }

    private static let variable = "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_XCODE_CERTIFICATES"

    private func transaction(_ changes: [String: JSONValue] = [:]) throws -> String {
        let header: JSONValue = [
            "alg": "ES256", "kid": "Apple_Xcode_Key", "typ": "JWT",
            "x5c": [.string(authority.certificates[0].base64EncodedString())],
        ]
        let xcode: [String: JSONValue] = [
            "environment": "Xcode", "transactionId": "0", "originalTransactionId": "0",
        ]
        let payload = SigningAuthority.transaction(xcode.merging(changes) { $1 })
        return try authority.jws(payload, header: header)
    }

    private func world(
        sandbox: String = "\"everyone\"", logger: LogRecorder = LogRecorder(),
        _ test: @escaping @Sendable (World, Player) async throws -> Void
    ) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "xcode-\(UUID().uuidString).cer")
        try authority.certificates[0].write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        try await World.run(
            products: SandboxTests.catalog(sandbox), environment: [Self.variable: file.path],
            logger: logger.logger(.warning)
        ) { world in try await test(world, world.newPlayer()) }
    }

    @Test func `Purchases in Xcode have a balance of their own`() async throws {
        let log = LogRecorder()
        let receipt = try transaction()
        try await world(logger: log) { world, player in
            let answer = try await world.post(receipt, as: player).json
            #expect(answer["transactions"][0]["environment"] == "Xcode" && answer["balances"]["hints"] == 10)
            let query = "?environment=Xcode"
            #expect(try await world.entitlements(of: player, query: query)["balances"]["hints"] == 10)
            #expect(try await world.entitlements(of: player)["balances"] == [:])
            #expect(try await world.call(.get, "/v1/entitlements?environment=xcode", as: player).status == 400)
            let spend = try await world.call(
                .post, "/v1/balances/hints/spend", ["amount": 4, "environment": "Xcode"], as: player, headers: .key("k")
            )
            #expect(spend.json["balance"] == 6)
        }
        #expect(log.lines.contains { $0.hasPrefix("receipts signed by Xcode's StoreKit testing are trusted") })
    }

    /// Xcode counts from 0 again when its purchases are cleared, and on each simulated device.
    @Test func `The same ID at another time is another purchase`() async throws {
        let first = try transaction(["originalPurchaseDate": 1_760_000_000_250, "purchaseDate": 1_760_000_000_250])
        let copy = try transaction(
            ["originalPurchaseDate": 1_760_000_000_000, "purchaseDate": 1_760_000_000_000, "transactionId": "3"])
        let second = try transaction(["originalPurchaseDate": 1_760_000_500_000, "purchaseDate": 1_760_000_500_000])
        try await world { world, player in
            for (receipt, id, hints) in [(first, "0", 10), (second, "0", 20), (copy, "3", 20), (first, "0", 20)] {
                let answer = try await world.post(receipt, as: player).json
                #expect(answer["balances"]["hints"] == .integer(hints), "\(answer)")
                #expect(answer["transactions"][0]["id"] == .string(id))
                #expect(answer["transactions"][0]["originalID"] == "0")
            }
            let purchases = try await world.call(.get, "/v1/purchases?environment=Xcode", as: player).json
            #expect(purchases["purchases"].array.map { $0["transaction"] } == ["0", "0"], "\(purchases)")
        }
    }

    /// The sandbox setting decides who is entitled.
    @Test func `Purchases in Xcode count as the sandbox setting says`() async throws {
        let receipt = try transaction()
        try await world(sandbox: "\"nobody\"") { world, player in
            let answer = try await world.post(receipt, as: player).json
            #expect(answer["transactions"][0]["reason"] == "sandbox", "\(answer)")
        }
    }

    /// The certificate vouches for Xcode's environment only, and without it nothing does.
    @Test func `A certificate of Xcode is believed for nothing else`() async throws {
        let forged = try transaction(["environment": "Production"])
        let receipt = try transaction()
        try await world { world, player in try await world.post(forged, as: player).expect(.rejected("environment")) }
        try await World.run { world in
            let player = try await world.newPlayer()
            try await world.post(receipt, as: player).expect(.rejected("environment"))
        }
    }

    @Test func `An invalid certificate of Xcode stops the start`() async throws {
        for (path, problem) in [
            ("/nowhere.cer", "cannot be read"), (Project.folder("products.json"), "no certificate"),
        ] {
            let error = await #expect(throws: SettingError.self) {
                try await World.run(environment: [Self.variable: path]) { _ in }
            }
            #expect(error?.description.contains(problem) == true && error?.description.contains(path) == true)
        }
        let file = #"{"apps": {"com.example.hangman": {"xcodeCertificates": "one.cer"}}}"#
        let settings = try await Settings.read(file: file)
        #expect(throws: SettingError.self) { try settings.appStore.xcodeCertificates(BundleID(stored: World.app)) }
    }

    /// Proof of the app itself: valid, and without a purchase.
    @Test func `An app transaction is verified and delivers nothing`() async throws {
        let date = JSONValue.integer(Int(World.start.timeIntervalSince1970) * 1000)
        let members: [String: JSONValue] = [
            "receiptType": "Production", "appAppleId": 1_234_567_890, "bundleId": .string(World.app),
            "originalPurchaseDate": date, "originalApplicationVersion": "1.0", "receiptCreationDate": date,
        ]
        let good = try authority.jws(.object(members))
        let others = try [("bundleId", "com.example.go", "bundleID"), ("receiptType", "Xcode", "environment")].map {
            (try authority.jws(.object(members.merging([$0.0: .string($0.1)]) { $1 })), $0.2)
        }
        try await World.run(roots: [authority.root]) { world in
            let player = try await world.newPlayer()
            for isAgain in [false, true] {
                let answer = try await world.post(good, as: player)
                #expect(answer.status == 200 && answer.json["status"] == "verified", "\(answer)")
                #expect(answer.json["transactions"] == [] && answer.json["finish"] == false)
                #expect(answer.json["duplicate"].flag == isAgain)
            }
            for (receipt, reason) in others { try await world.post(receipt, as: player).expect(.rejected(reason)) }
        }
    }
}
