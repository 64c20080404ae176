import Basics
import Foundation
import TestSupport
import Testing

/// base64url is that of Foundation for every length, and each value has one text.
@Suite struct TextEncodingsTests {
    private func reference(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Test func `base64url is encoded and decoded as by Foundation`() {
        var random = SeededGenerator(seed: 5)
        for length in 0..<300 {
            let data = Data((0..<length).map { _ in UInt8.random(in: 0...255, using: &random) })
            let text = data.base64URL
            #expect(text == reference(data))
            #expect(Data(base64URL: Data(text.utf8)) == data)
            // A collection without contiguous bytes.
            #expect(Data(base64URL: text.utf8.reversed().reversed()) == data)
        }
    }

    /// Each byte in each place of a text is refused, or is the text of what it decodes to.
    @Test(arguments: ["", "QQ", "QUI", "QUJD", "QUJDRA"])
    func `Only the exact base64url text of some bytes is decoded`(text: String) {
        for place in 0...text.utf8.count {
            for byte in UInt8.min...UInt8.max {
                var (changed, longer) = (Array(text.utf8), Array(text.utf8))
                if place < changed.count { changed[place] = byte }
                longer.insert(byte, at: place)
                for bytes in [changed, longer] {
                    guard let data = Data(base64URL: bytes) else { continue }
                    #expect(Array(reference(data).utf8) == bytes)
                }
            }
        }
        for text in ["A", "QUJDR", "QR", "QUJ", "Q+I", "Q/I", "QQ==", "QQ=", "Q Q", "QQ\n"] {
            #expect(Data(base64URL: Data(text.utf8)) == nil, "\(text)")
        }
    }

    /// In each place, since several may be looked at at once.
    @Test(arguments: [1, 15, 16, 17, 40])
    func `The alphabet of base64url is that of the RFC, in every place`(length: Int) {
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for byte in UInt8.min...UInt8.max {
            for place in 0..<length {
                var text = [UInt8](repeating: UInt8(ascii: "A"), count: length)
                text[place] = byte
                #expect(text.withUnsafeBufferPointer(\.areBase64URL) == alphabet.contains(byte), "\(byte) at \(place)")
            }
        }
    }

    @Test(
        arguments: [
            ("a.b.c", ["a", "b", "c"]), ("..", ["", "", ""]), ("aa..", ["aa", "", ""]), (".b.", ["", "b", ""]),
            ("a.b", nil), ("", nil), ("a", nil), ("a.b.c.", nil), ("...", nil), ("é.😀.z", ["é", "😀", "z"]),
        ] as [(String, [String]?)])
    func `A text of exactly three parts between full stops is split into them`(text: String, parts: [String]?) {
        let found = text.withDottedParts { first, second, third in
            [first, second, third].map { String(decoding: $0, as: UTF8.self) }
        }
        #expect(found == parts)
    }
}
