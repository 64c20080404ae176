import Foundation
import InAppPurchase
import StrictJSON
import TestSupport
import Testing

/// The encoder of the API's answers writes the same bytes as Foundation's.
@Suite struct CanonicalEncoderTests {
    /// Times as the API has them: members that end a time span are rounded differently from others.
    private static func text(_ date: Date, _ key: (any CodingKey)?) -> String {
        "\(date.milliseconds)\(key?.stringValue.hasSuffix("Until") == true ? " rounded up" : "")"
    }

    private let own = CanonicalEncoder { Self.text($0, $1) }
    private let foundation = {
        let encoder = JSONEncoder.canonical
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(Self.text(date, encoder.codingPath.last))
        }
        return encoder
    }()

    private func check(_ value: some Encodable) throws {
        let expected = String(decoding: try foundation.encode(value), as: UTF8.self)
        #expect(String(decoding: try own.encode(value), as: UTF8.self) == expected)
    }

    private enum Kind: String, Codable { case one, two }

    private class Base: Encodable {
        var base = 1
    }

    private final class Derived: Base {
        private enum CodingKeys: CodingKey { case own, named }

        override func encode(to encoder: any Encoder) throws {
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encode("own", forKey: .own)
            try super.encode(to: members.superEncoder())
            try super.encode(to: members.superEncoder(forKey: .named))
        }
    }

    private struct Everything: Encodable {
        var text = "a/b \"c\" \u{1F} é 😀 \u{2028}"
        var flag = true
        var numbers = [Int.min, 0, Int.max]
        var small: UInt8 = 255
        var large: UInt64 = .max
        var signed: Int8 = -128
        var fractions = [0.1, 1, -0.0, 1e300, 1e-7, 123_456_789.125, 5e15, 1e16, Double.leastNonzeroMagnitude]
        var single: Float = 0.1
        var nothing: String?
        var kind = Kind.two
        var kinds: [Kind?] = [.one, nil]
        var date = Date(milliseconds: 5)
        var validUntil: Date? = Date(milliseconds: 7)
        var dates = [Date(milliseconds: 9)]
        var data = Data([1, 2, 255])
        var link = URL(string: "https://example.com/a?b=c")
        var decimal = Decimal(string: "12.50")
        var identifier = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))
        var byName: [String: [Int]] = ["b": [], "a": [1], "Z": [2], "ä": [], "10": [], "9": [], "e\u{301}": []]
        var byProduct: [ProductID: Int] = ["x": 1, "w": 2]
        var byNumber = [3: "three", 1: "one"]
        var untyped: JSONValue = .object(["z": .null, "a": .array([.number(0.5), .bool(false)])])
        var object = Derived()
        var empty: [String: String] = [:]
        var none: [Int] = []
    }

    /// Members in two containers, one of them twice, and containers in containers.
    private struct ByHand: Encodable {
        private enum First: String, CodingKey { case a, list, until, nothing }
        private enum Second: String, CodingKey { case b, inner }

        func encode(to encoder: any Encoder) throws {
            var first = encoder.container(keyedBy: First.self)
            try first.encode(1, forKey: .a)
            var second = encoder.container(keyedBy: Second.self)
            try second.encode("two", forKey: .b)
            try first.encode(3, forKey: .a)
            try first.encodeNil(forKey: .nothing)
            var list = first.nestedUnkeyedContainer(forKey: .list)
            try list.encode(contentsOf: [1, 2])
            try list.encodeNil()
            var inList = list.nestedContainer(keyedBy: Second.self)
            try inList.encode(Date(milliseconds: 3), forKey: .b)
            var deeper = list.nestedUnkeyedContainer()
            try deeper.encode("x")
            try "super".encode(to: list.superEncoder())
            var inner = second.nestedContainer(keyedBy: First.self, forKey: .inner)
            try inner.encode(list.count, forKey: .a)
            var single = inner.superEncoder(forKey: .until).singleValueContainer()
            try single.encode(Date(milliseconds: 4))
        }
    }

    @Test func `Every kind of value is encoded as Foundation encodes it`() throws {
        try check(Everything())
        try check([Everything(), Everything()])
        try check(ByHand())
        try check(["a": ByHand()])
    }

    @Test func `Single values at the top are encoded as Foundation encodes them`() throws {
        try check("text")
        try check(5)
        try check(true)
        try check(Kind.one)
        try check([Int]())
        try check([String: Int]())
        try check(Date(milliseconds: 1))
        try check(String?.none)
        try check([[["a"]], []])
    }

    @Test func `Numbers that are not finite are refused`() {
        for number in [Double.nan, .infinity, -.infinity] {
            #expect(throws: EncodingError.self) { try own.encode([number]) }
            #expect(throws: EncodingError.self) { try own.encode(["a": number]) }
        }
    }

    /// Numbers of every size are written as Foundation writes them.
    @Test func `Numbers are written as Foundation writes them`() throws {
        var random = SeededGenerator(seed: 3)
        for _ in 0..<2_000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            try check([number, number.rounded(), Double(Float(number))].filter(\.isFinite))
            try check([Float(number)].filter(\.isFinite))
        }
    }
}
