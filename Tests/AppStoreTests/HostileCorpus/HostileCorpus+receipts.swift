import Foundation
import InAppPurchase
import SwiftASN1
import Testing

@testable import AppStore

typealias ReceiptCase = HostileCase<ReceiptAuthority>

/// App receipts with odd content, but signed by the store, since it is read before that is known.
enum HostileReceipts {
    typealias Maker = AppReceiptMaker

    private static func content(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ octets: @escaping @Sendable () -> [UInt8]
    ) -> ReceiptCase {
        ReceiptCase(name, reason) { try Maker(octets: octets()).receipt(by: $0) }
    }

    /// The usual attributes and one more.
    private static func with(_ node: Node) -> [UInt8] { Maker.set(Maker.hangman, [node]).der }

    /// Attributes of ten bytes, the smallest, of a type that nobody knows.
    private static func emptyAttributes(_ count: Int) -> [UInt8] {
        Array(repeating: Maker.attribute(50, .raw([])).der, count: count).flatMap(\.self)
    }

    static let contents: [ReceiptCase] = [
        content("empty", .malformed) { [] }, content("a byte", .malformed) { [0x31] },
        content("an empty set", .malformed) { [0x31, 0] }, content("no set", .malformed) { [0x30, 0] },
        content("a byte after the set", .malformed) { Maker.set(Maker.hangman).der + [0] },
        content("two sets", .malformed) { Maker.set(Maker.hangman).der + Maker.set(Maker.hangman).der },
        content("no purchases", nil) { Maker.set(Maker.hangman).der },
        content("an integer among the attributes", .malformed) { with(.integer(7)) },
        content("an attribute without a value", .malformed) { with(.sequence(.integer(50), .integer(1))) },
        content("an attribute of four", .malformed) {
            with(.sequence(.integer(50), .integer(1), .octets([]), .integer(1)))
        },
        content("an attribute whose value is a text", .malformed) {
            with(.sequence(.integer(50), .integer(1), Maker.text("x")))
        },
        content("an attribute of negative type", nil) { with(Maker.attribute(-1, .raw([]))) },
        content("an attribute of type 2^31", nil) { with(Maker.attribute(1 << 31, .raw([]))) },
        content("an attribute of type 2^71", .malformed) {
            with(.sequence(.primitive(2, [0x7F] + Array(repeating: 0xFF, count: 8)), .integer(1), .octets([])))
        },
        content("an attribute of version 2^71", .malformed) {
            with(.sequence(.integer(50), .primitive(2, [0x7F] + Array(repeating: 0xFF, count: 8)), .octets([])))
        },
        content("an attribute whose type has no byte", .malformed) {
            with(.sequence(.primitive(2, []), .integer(1), .octets([])))
        },
        content("an unknown attribute of garbage", nil) { with(Maker.attribute(50, .raw([0x30, 0x84, 0xFF, 0xFF]))) },
        content("an unknown attribute twice", nil) {
            Maker.set(Maker.hangman, [Maker.attribute(50, .raw([1])), Maker.attribute(50, .raw([2]))]).der
        },
        content("the bundle twice", .malformed) { with(Maker.attribute(2, Maker.text("com.example.other"))) },
        content("the creation date twice", .malformed) {
            with(Maker.attribute(12, Maker.date("2026-11-20T21:37:00Z")))
        },
        content("the type twice", .malformed) { with(Maker.attribute(0, Maker.text("Production"))) },
        content("a purchase that is no set", .malformed) { with(Maker.attribute(17, .sequence())) },
        content("a purchase that is empty", .malformed) { with(Maker.attribute(17, .raw([]))) },
        content("a purchase with a product twice", .malformed) {
            with(Maker.attribute(17, Maker.set(Maker.words, [Maker.attribute(1702, Maker.text("other"))])))
        },
        content("more purchases than anybody makes", .malformed) {
            Maker.set(Maker.hangman, Array(repeating: Maker.attribute(17, Maker.set(Maker.words)), count: 10_001)).der
        },
        content("150,000 attributes", .malformed) { with(.raw(emptyAttributes(150_000))) },
        content("15,000 attributes of a purchase", .malformed) {
            with(Maker.attribute(17, Maker.set(Maker.words, [.raw(emptyAttributes(15_000))])))
        },
        content("10,000 attributes", nil) { with(.raw(emptyAttributes(10_000))) },
        content("10,000 attributes in a set without a length", .malformed) {
            Maker.set(Maker.hangman, [.raw(emptyAttributes(10_000))]).ber(piece: 40)
        },
        content("as many in the purchases, whose sets have no length", .malformed) {
            let purchase = Maker.set(Maker.words, [.raw(emptyAttributes(1_000))]).ber(piece: 40)
            return Maker.set(Maker.hangman, Array(repeating: Maker.attribute(17, .raw(purchase)), count: 10)).der
        },
        content("a set of 2^31 bytes", .malformed) { [0x31, 0x84, 0x80, 0, 0, 0] },
        content("a set of 2^63 bytes", .malformed) { [0x31, 0x88, 0x80, 0, 0, 0, 0, 0, 0, 0] },
        content("a set of 2^64 - 1 bytes", .malformed) { [0x31, 0x88] + Array(repeating: 0xFF, count: 8) },
        content("a length of 126 bytes", .malformed) { [0x31, 0xFE] + Array(repeating: 1, count: 126) },
        content("a length that is reserved", .malformed) { [0x31, 0xFF] + Array(repeating: 0, count: 200) },
        content("a set without an end", .malformed) { [0x31, 0x80] + Maker.attribute(2, Maker.text("x")).der },
        content("sets in sets without an end", .malformed) { (0..<50_000).flatMap { _ in [0x31, 0x80] as [UInt8] } },
        content("octet strings in octet strings", .malformed) {
            (0..<50_000).flatMap { _ in [0x24, 0x80] as [UInt8] } + Array(repeating: 0, count: 100_000)
        },
        content("100 octet strings around it", .malformed) {
            (0..<100).reduce(Maker.set(Maker.hangman).der) { octets, _ in Node.octets(octets).der }
        },
        content("an integer in an octet string of pieces", .malformed) {
            with(.sequence(.integer(50), .integer(1), .constructed(0x24, [.integer(1)])))
        },
        content("an octet string of no pieces", nil) {
            with(.sequence(.integer(50), .integer(1), .constructed(0x24, [])))
        },
        content("the end alone", .malformed) { [0, 0] },
        content("a high tag without an end", .malformed) {
            [0x1F] + Array(repeating: 0xFF, count: 100)
        },
    ]

    private static func attribute(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ type: Int, _ value: Node
    ) -> ReceiptCase {
        ReceiptCase(name, reason) {
            try Maker(attributes: Maker.hangman.merging([type: value]) { $1 }).receipt(by: $0)
        }
    }

    private static func purchase(
        _ name: String, _ reason: ReceiptRejection.Reason?, _ type: Int, _ value: Node
    ) -> ReceiptCase {
        ReceiptCase(name, reason) { try Maker(purchases: [Maker.words.merging([type: value]) { $1 }]).receipt(by: $0) }
    }

    static let values: [ReceiptCase] = [
        attribute("type Xcode", .environment, 0, Maker.text("Xcode")),
        attribute("type empty", .environment, 0, Maker.text("")),
        attribute("type unknown", .environment, 0, Maker.text("Staging")),
        attribute("type in lower case", .environment, 0, Maker.text("production")),
        attribute("type an integer", .malformed, 0, .integer(1)),
        attribute("bundle empty", .malformed, 2, Maker.text("")),
        attribute("bundle without a tag", .malformed, 2, .raw(Array("com.example".utf8))),
        attribute("bundle a PrintableString", .malformed, 2, .primitive(0x13, Array("com.example".utf8))),
        attribute("bundle no UTF-8", .malformed, 2, .primitive(0x0C, [0xFF, 0xFE])),
        attribute("bundle with a length past its end", .malformed, 2, .raw([0x0C, 0x7F, 0x61])),
        attribute("bundle with a byte after it", .malformed, 2, .raw(Maker.text("com.example").der + [0])),
        attribute("number negative", nil, 1, .integer(-1)),
        attribute("number of 9 bytes", .malformed, 1, .primitive(2, [1, 2, 3, 4, 5, 6, 7, 8, 9])),
        attribute("number a text", .malformed, 1, Maker.text("1234567890")),
        attribute("made at no date", .malformed, 12, Maker.date("")),
        attribute("made yesterday", .malformed, 12, Maker.date("yesterday")),
        attribute("made on 30 February", .malformed, 12, Maker.date("2026-02-30T00:00:00Z")),
        attribute("made in year 10,000", .malformed, 12, Maker.date("10000-01-01T00:00:00Z")),
        attribute("made in year 1", .malformed, 12, Maker.date("0001-01-01T00:00:00Z")),
        attribute("made at 25 o'clock", .malformed, 12, Maker.date("2026-11-20T25:00:00Z")),
        attribute("made without a time zone", .malformed, 12, Maker.date("2026-11-20T21:37:00")),
        attribute("made in the future", nil, 12, Maker.date("2026-11-20T21:42:01Z")).fromTheFuture,
        attribute("backdated before the certificates", .expiredCertificate, 12, Maker.date("2026-11-18T00:00:00Z")),
        attribute("ended", .notFound, 21, Maker.date("2026-11-20T21:36:59Z")),
        attribute("ends in year 4001", nil, 21, Maker.date("4001-01-01T00:00:00Z")),
        attribute("ends at no date", .malformed, 21, Maker.date("never")),
        purchase("quantity 0", .malformed, 1701, .integer(0)),
        purchase("quantity negative", .malformed, 1701, .integer(-5)),
        purchase("quantity of 64 bits", .malformed, 1701, .integer(.max)),
        purchase("quantity a text", .malformed, 1701, Maker.text("1")),
        purchase("product empty", .malformed, 1702, Maker.text("")),
        purchase("ID empty", .malformed, 1703, Maker.text("")),
        purchase("ID of letters", .malformed, 1703, Maker.text("abc")),
        purchase("ID of 21 digits", .malformed, 1703, Maker.text("123456789012345678901")),
        purchase("ID an integer", .malformed, 1703, .integer(7)),
        purchase("original ID negative", .malformed, 1705, Maker.text("-1")),
        purchase("bought at no date", .malformed, 1704, Maker.date("soon")),
        purchase("expires on 32 January", .malformed, 1708, Maker.date("2026-01-32T00:00:00Z")),
        purchase("cancelled at no date", .malformed, 1712, Maker.date("yes")),
        purchase("cancelled", nil, 1712, Maker.date("2026-11-20T21:30:00Z")),
        purchase("an unknown attribute", nil, 1799, .raw([0xFF])),
    ]
}

@Suite struct HostileReceiptTests {
    static let known = Result {
        let authority = try ReceiptAuthority()
        return (authority, try authority.verifier)
    }

    @Test(
        arguments: HostileReceipts.contents + HostileReceipts.values + HostileReceipts.messages + HostileReceipts.files)
    func `Forged and odd app receipts are refused`(_ hostile: ReceiptCase) async throws {
        let (authority, verifier) = try Self.known.get()
        try await hostile.expect({ receipt in _ = try await verifier.verify(receipt, at: .t0) }, of: authority)
    }
}
