import Foundation
import HTTPTypes
import InAppPurchase
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine

/// An invalid receipt gets a reason, a trace, and nothing delivered.
@Suite struct BadReceiptTests {
    struct Forgery: Sendable {
        var name: String
        var expected: ExpectedProblem
        var make: @Sendable (SigningAuthority.Root) throws -> String

        init(
            _ name: String, _ expected: ExpectedProblem,
            _ make: @escaping @Sendable (SigningAuthority.Root) throws -> String
        ) {
            self.name = name
            self.expected = expected
            self.make = make
        }

        /// A genuine signature on a payload that differs from a good one.
        init(_ name: String, _ expected: ExpectedProblem, payload changes: [String: JSONValue]) {
            self.init(name, expected) { try SigningAuthority($0).jws(SigningAuthority.transaction(changes)) }
        }

        init(_ name: String, _ expected: ExpectedProblem, algorithm: String = "ES256", certificates: Int = 3) {
            self.init(name, expected) { root in
                let authority = try SigningAuthority(root)
                return try authority.jws(
                    SigningAuthority.transaction(), header: authority.header(algorithm, certificates: certificates))
            }
        }
    }

    static let forgeries: [Forgery] = [
        Forgery("algorithm none", .rejected("signature"), algorithm: "none"),
        Forgery("algorithm HS256", .rejected("signature"), algorithm: "HS256"),
        Forgery("no certificate", .rejected("chain"), certificates: 0),
        Forgery("two certificates", .rejected("chain"), certificates: 2),
        Forgery("four certificates", .rejected("chain"), certificates: 4),
        Forgery("a foreign root", .rejected("chain")) { _ in try SigningAuthority().jws(SigningAuthority.transaction())
        },
        Forgery("no marker in the leaf", .rejected("chain")) {
            try SigningAuthority($0, leafIsMarked: false).jws(SigningAuthority.transaction())
        },
        Forgery("no marker in the intermediate", .rejected("chain")) {
            try SigningAuthority($0, intermediateIsMarked: false).jws(SigningAuthority.transaction())
        },
        Forgery("another app", .rejected("bundleID"), payload: ["bundleId": "com.example.chess"]),
        Forgery("signed in the future by somebody else", .rejected("chain")) { _ in
            try SigningAuthority().jws(SigningAuthority.transaction(at: World.start + 301))
        },
        Forgery("from Xcode", .rejected("environment"), payload: ["environment": "Xcode"]),
        Forgery("from nowhere", .rejected("environment"), payload: ["environment": .null]),
        Forgery("no transaction", .rejected("unsupported"), payload: ["transactionId": .null]),
        Forgery("an impossible quantity", .rejected("malformed"), payload: ["quantity": 0]),
        Forgery("a huge quantity", .rejected("malformed"), payload: ["quantity": .integer(.max)]),
        Forgery("a date of no world", .rejected("malformed"), payload: ["purchaseDate": .integer(.max)]),
        Forgery("a number for an ID", .rejected("unsupported"), payload: ["transactionId": 7]),
        Forgery("another payload", .rejected("signature")) { root in
            let authority = try SigningAuthority(root)
            var parts = try authority.jws(SigningAuthority.transaction()).split(separator: ".")
            let other = SigningAuthority.transaction(["quantity": 100])
            parts[1] = try JSONEncoder().encode(other).base64URLText[...]
            return parts.joined(separator: ".")
        },
        Forgery(
            "too long", .rejected("malformed"),
            payload: ["padding": .string(String(repeating: "x", count: 16 << 10))]),
    ]

    @Test func `A forgery is refused and delivers nothing`() async throws {
        let root = try SigningAuthority.Root()
        try await World.run(roots: [root.certificate]) { world in
            try await world.unharmed { player in
                for forgery in Self.forgeries {
                    let answer = try await world.post(forgery.make(root), as: player)
                    answer.expect(forgery.expected, "\(forgery.name): \(answer)")
                    let id = try #require(answer.json["receipt"].text)
                    let known = try await world.call(.get, "/v1/receipts/\(id)", as: player).json
                    #expect(known["status"] == "rejected" && known["reason"].text == forgery.expected.reason)
                }
            }
        }
    }

    @Test func `The test authority is believed when nothing is forged`() async throws {
        let authority = try SigningAuthority()
        try await World.run(roots: [authority.root]) { world in
            let player = try await world.newPlayer()
            let answer = try await world.post(authority.jws(SigningAuthority.transaction()), as: player)
            #expect(answer.status == 200 && answer.json["balances"] == ["hints": 10], "\(answer)")
        }
    }

    /// There are many forgeries here, and none is to be turned away because of another.
    static let withoutBudget = [
        "QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ACCOUNT": "off",
        "QUARTERMASTER_LIMITS_REJECTED_KILOBYTES_PER_ADDRESS": "off",
    ]

    @Test func `A signed transaction with any changed character is refused`() async throws {
        try await World.run(environment: Self.withoutBudget) { world in
            let receipt = try await world.buy("hundredhints", "consumable").signedTransaction
            let characters = Array(receipt)
            try await world.unharmed { player in
                var generator = SeededGenerator(seed: 7)
                for place in characters.indices.shuffled(using: &generator).prefix(150) {
                    var changed = characters
                    changed[place] = changed[place] == "A" ? "B" : "A"
                    let answer = try await world.post(String(changed), as: player)
                    #expect(answer.status == 422 && answer.json["code"] == "receipt_rejected", "\(place): \(answer)")
                }
            }
        }
    }

    static let nonsense: [(String, ExpectedProblem)] = [
        ("", .rejected("malformed")), (" \n ", .rejected("malformed")), ("null", .rejected("malformed")),
        ("..", .rejected("malformed")), ("a.b.c", .rejected("malformed")), ("e30.e30.e30", .rejected("malformed")),
        ("a.b.c.d", .rejected("malformed")), ("a.b", .rejected("malformed")),
        ("\u{0}", .rejected("malformed")), ("1\u{0}2", .rejected("malformed")), ("🎩", .rejected("malformed")),
        ("e\u{301}.e\u{301}.e\u{301}", .rejected("malformed")), ("١٢٣٤", .rejected("malformed")),
        ("123456789012345678901", .rejected("malformed")),
        ("-1", .rejected("malformed")), ("1234", .rejected("unsupported")),
        ("Authorization: Bearer x\r\nX: y", .rejected("malformed")),
        (String(repeating: "A", count: 1 << 20), .rejected("malformed")),
        (String(repeating: ".", count: 1 << 20), .rejected("malformed")),
        (String(repeating: "9", count: 1 << 20), .rejected("malformed")),
        (String(repeating: "x", count: (3 << 20) + 1), .tooLarge),
    ]

    @Test func `Nonsense is refused with a reason`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for (receipt, expected) in Self.nonsense {
                    let answer = try await world.post(receipt, as: player)
                    answer.expect(expected, "\(receipt.prefix(30)): \(answer)")
                }
            }
        }
    }

    /// Bytes that only begin as PKCS#7 or a property list are refused at once; the store is not asked about them.
    @Test func `Bytes that only look like a receipt are malformed`() async throws {
        try await World.run { world in
            try await world.unharmed { player in
                for bytes in Self.lookalikes {
                    let answer = try await world.post(bytes.base64EncodedString(), as: player)
                    answer.expect(.rejected("malformed"), "\(bytes.prefix(20)): \(answer)")
                }
            }
        }
    }

    static let lookalikes = [
        Data([0x30]), Data([0x30, 0x80, 0, 0]), Data([0x30, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]),
        Data([0x30, 0x0B, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]),
        Data(repeating: 0x30, count: 100_000), Data("{".utf8), Data("{}".utf8), Data("{\"signature\" = \"x\";}".utf8),
        Data(String(repeating: "{", count: 100_000).utf8),
    ]
}
