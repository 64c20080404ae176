import Basics
import Foundation
import HTTPTypes
import InAppPurchase
import Ledger
import NIOCore
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore
@testable import ServerHTTP

/// Nothing is finished that was not judged: an app loses for ever what it finishes.
@Suite struct FinishTests {
    /// The outcomes after which nothing more comes of a transaction.
    static let final: Set = [
        "delivered", "alreadyDelivered", "denied/expired", "denied/revoked", "denied/upgraded",
        "denied/notStarted", "denied/billingRetry", "denied/consumed", "denied/transferred",
    ]

    /// Expects `finish` in an answer of a receipt route, whichever.
    static func check(_ answer: Answer, _ comment: Comment, sourceLocation: SourceLocation = #_sourceLocation) {
        let transactions = answer.json["transactions"].array
        for transaction in transactions {
            let outcome = [transaction["outcome"].text, transaction["reason"].text].compactMap(\.self)
            #expect(
                transaction["finish"] == .bool(final.contains(outcome.joined(separator: "/"))), comment,
                sourceLocation: sourceLocation)
        }
        if answer.json["receipts"] != .null {
            for receipt in answer.json["receipts"].array where receipt["status"] != "verified" {
                #expect(receipt["finish"] == false, comment, sourceLocation: sourceLocation)
            }
        } else {
            let isFinal = !transactions.isEmpty && transactions.allSatisfy { $0["finish"] == true }
            let mayFinish = answer.status == 200 && isFinal && answer.json["status"] == "verified"
            #expect(answer.json["finish"] == .bool(mayFinish), "\(comment): \(answer)", sourceLocation: sourceLocation)
        }
    }

    struct Case: Sendable {
        var name: String
        var status: Int
        var make: @Sendable (World, Player) async throws -> String

        init(_ name: String, _ status: Int, _ make: @escaping @Sendable (World, Player) async throws -> String) {
            self.name = name
            self.status = status
            self.make = make
        }
    }

    static let cases: [Case] = [
        Case("delivered", 200) { world, _ in try await world.buy("tenhints", "consumable").signedTransaction },
        Case("app receipt", 200) { world, _ in
            try await world.buy("hardwords", "non-consumable", ["customer": "b"]).appReceipt
        },
        Case("iOS 6 receipt", 200) { world, _ in try await world.buy("tenhints", "consumable").transactionReceipt },
        Case("family-shared credits", 200) { world, _ in
            try await world.buy("tenhints", "consumable", ["ownershipType": "FAMILY_SHARED"]).signedTransaction
        },
        Case("an app receipt without purchases", 200) { world, _ in
            try await world.freshAppReceipt(ofCustomer: "nobody")
        },
        Case("unknown product", 200) { world, _ in try await world.buy("unheard", "consumable").signedTransaction },
        Case("another type", 200) { world, _ in try await world.buy("tenhints", "non-consumable").signedTransaction },
        Case("sandbox", 200) { world, _ in
            try await world.buy("tenhints", "consumable", ["environment": "Sandbox"]).signedTransaction
        },
        Case("somebody else's", 409) { world, _ in
            let bought = try await world.buy("hardwords", "non-consumable", ["customer": "c"])
            _ = try await world.post(bought.signedTransaction, as: try await world.newPlayer())
            return bought.signedTransaction
        },
        Case("another app", 422) { world, _ in
            let purchase: JSONValue = ["bundleID": "com.example.chess", "productID": "x", "type": "consumable"]
            return try #require(try await world.act("purchases", purchase)["signedTransaction"].text)
        },
        Case("changed", 422) { world, _ in
            String(try await world.buy("tenhints", "consumable").signedTransaction.dropLast(4)) + "AAAA"
        },
        Case("cut", 422) { world, _ in
            String(try await world.buy("tenhints", "consumable").signedTransaction.prefix(1_500))
        },
        Case("decoded", 422) { world, _ in
            let parts = try await world.buy("tenhints", "consumable").signedTransaction.split(separator: ".")
            return String(decoding: try #require(Data(base64URL: parts[1].utf8)), as: UTF8.self)
        },
        Case("empty", 422) { _, _ in "" },
        Case("null", 422) { _, _ in "null" },
        Case("unknown ID", 422) { _, _ in "1234" },
        Case("foreign root", 422) { _, _ in try SigningAuthority().jws(SigningAuthority.transaction()) },
        Case("expired certificate", 422) { world, _ in
            let authority = try SigningAuthority(at: World.start - 10 * 86_400)
            return try authority.jws(SigningAuthority.transaction())
        },
        Case("too large", 413) { _, _ in String(repeating: "x", count: (3 << 20) + 1) },
    ]

    @Test func `A receipt's answer has 'finish: true' only beside final outcomes, on each route`() async throws {
        try await World.run { world in
            for example in Self.cases {
                let player = try await world.newPlayer()
                let receipt = try await example.make(world, player)
                let answer = try await world.post(receipt, as: player)
                #expect(answer.status == example.status, "\(example.name): \(answer)")
                Self.check(answer, "\(example.name)")
                Self.check(try await world.post(receipt, as: player), "\(example.name), again")
                let id = answer.json["receipt"].text ?? ""
                Self.check(try await world.call(.get, "/v1/receipts/\(id)", as: player), "\(example.name), looked up")
                let restored = try await world.call(
                    .post, "/v1/restore", ["receipts": [.string(receipt)]], as: player)
                #expect(restored.status == 200)
                Self.check(restored, "\(example.name), restored")
                let alone = restored.json["receipts"][0]["finish"]
                let transactions = try await world.post(receipt, as: player).json["transactions"].array
                let isFinal = !transactions.isEmpty && transactions.allSatisfy { $0["finish"] == true }
                #expect(alone == .bool(isFinal), "\(example.name), restored")
            }
        }
    }

    @Test func `A receipt that waits for the store finishes nothing`() async throws {
        try await World.run { world in
            let player = try await world.newPlayer()
            let bought = try await world.buy("tenhints", "consumable")
            _ = try await world.act("faults", ["http": 503])
            let answer = try await world.post(bought.transactionReceipt, as: player)
            #expect(answer.status == 202)
            Self.check(answer, "waiting")
            let id = try #require(answer.json["receipt"].text)
            Self.check(try await world.call(.get, "/v1/receipts/\(id)", as: player), "waiting, looked up")
        }
    }

    /// Each status that a route has besides those of receipts.
    @Test func `A refused request finishes nothing, whatever refused it`() async throws {
        try await World.run(environment: World.threeReceipts) { world in
            let player = try await world.newPlayer()
            for path in ["/v1/receipts", "/v1/restore"] {
                let body = JSONValue.object(["receipt": "x", "receipts": ["x"], "bundleID": "\u{1}"])
                for answer in [
                    try await world.call(.post, path, body), try await world.call(.put, path, body, as: player),
                    try await world.call(.post, path, [7], as: player),
                ] {
                    #expect([400, 401, 405].contains(answer.status), "\(answer)")
                    Self.check(answer, "\(path)")
                }
            }
            let strange = try await world.call(.get, "/v1/receipts/r_none", as: player)
            #expect(strange.status == 404)
            Self.check(strange, "a receipt that nobody sent")
            Self.check(try await world.call(.get, "/v1/receipts/r_none"), "without a token")
            _ = try await world.post("x", as: player)
            let limited = try await world.post("x", as: player)
            #expect(limited.status == 429)
            Self.check(limited, "too many")
            let many = JSONValue.array((0...Limits.receiptsPerRestore).map { .string("x\($0)") })
            let other = try await world.newPlayer()
            let tooMany = try await world.call(.post, "/v1/restore", ["receipts": many], as: other)
            #expect([422, 429].contains(tooMany.status))
            Self.check(tooMany, "too many in one restore")
        }
    }

    @Test func `A server that is blocked, busy or without its ledger finishes nothing`() throws {
        let errors: [any Error] = [
            LedgerRefusal.accountBlocked(AccountID(UUID())), LedgerRefusal.tooManyPending,
            LedgerRefusal.tooManyBytes(.pending),
            LedgerUnavailable("gone"), VerificationUnavailable(), CancellationError(), Problem.tooManyBodies,
            Problem.receiptTooLarge, Problem.tooManyRequests("x", retryAfter: 1),
        ]
        for error in errors {
            let body = try JSONCoding.encode(ProblemBody(Problem.from(error).problem))
            let json = try JSONDecoder().decode(JSONValue.self, from: Data(body.readableBytesView))
            #expect(json["finish"] == false, "\(error)")
        }
    }
}
