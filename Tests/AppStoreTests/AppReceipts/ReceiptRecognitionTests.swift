import Basics
import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import AppStore

@Suite struct ReceiptRecognitionTests {
    static let der = Data([0x30, 0x82, 0x01, 0xFB, 0xEF, 0xBE]).base64EncodedString()
    static let propertyList = TransactionReceiptHintTests.receipt(TransactionReceiptHintTests.purchase)
    /// The beginning of the text of a signed transaction.
    static let header = Data(#"{"alg":"ES256","x5c":["MIIB","MIIC","MIID"]}"#.utf8).base64URL
    private static func base64(_ text: String) -> String { Data(text.utf8).base64EncodedString() }
    static let table: [(String, Receipt.Kind?)] = [
        ("0", .transactionID), ("2000000847061981", .transactionID), ("18446744073709551615", .transactionID),
        ("123456789012345678901", nil), ("-1", nil), ("+12", nil), ("", nil), (" ", nil), ("٣٤٥٦", nil),
        ("a.b.c", .signedTransaction), ("eyJ-_.eyJ.AA", .signedTransaction), ("a.b", nil), ("a.b.c.d", nil),
        (".b.c", nil), ("a..c", nil), ("a.b.", nil), ("a.b.c=", nil), ("a.b.c\n", nil), ("a.b.ä", nil),
        (der, .appReceipt), (propertyList, .transactionReceipt),
        (base64(" \r\n") + propertyList, .transactionReceipt), (base64(" \r\n\t{"), nil), (base64("{}"), nil),
        (base64("{\n\t\"signature\" = \"A\";\n}"), nil), (header, nil), (header + ".", nil), (header + ".e30", nil),
        (TransactionReceiptHintTests.receipt(#"{"transaction-id" = "x";}"#), nil),
        (base64("{" + String(repeating: "a", count: 300_000)), nil),
        (
            TransactionReceiptHintTests.receipt(
                TransactionReceiptHintTests.purchase, and: "pad = \"\(String(repeating: "x", count: 64 << 10))\";"), nil
        ),
        (Data("plain text".utf8).base64EncodedString(), nil), (Data(" \n".utf8).base64EncodedString(), nil),
        (Data([0x31, 0x30]).base64EncodedString(), nil), ("{\"Store\": \"AppleAppStore\"}", nil),
    ]

    @Test(arguments: table)
    func `The kind of a receipt is recognized by its form`(_ content: String, _ kind: Receipt.Kind?) {
        #expect(Receipt.Kind(of: content) == kind)
    }

    @Test func `Line breaks and lost plus signs in a receipt are tolerated`() throws {
        #expect(Self.der.contains("+"))
        let wrapped = Self.der.map(String.init).joined(separator: "\r\n")
        for content in [wrapped, Self.der.replacing("+", with: " "), Self.der + "\n"] {
            #expect(Receipt.Kind(of: content) == .appReceipt)
            #expect(Data(receiptBase64: content) == Data(receiptBase64: Self.der))
        }
    }

    @Test func `A receipt above three mebibytes is not recognized`() {
        let size = Receipt.maximumSize
        #expect(size == 3_145_728)
        let longest = "MIIB" + String(repeating: "A", count: size - 4)
        #expect(Receipt.Kind(of: longest) == .appReceipt)
        #expect(Receipt.Kind(of: longest + "AAAA") == nil)
    }

    @Test(arguments: 1...20) func `No text traps the recognition of receipts`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let alphabet = Array("0123456789.{}= +/-_\n\r\tMIIAéß\u{0}\u{1F600}")
        for length in 0..<200 {
            _ = Receipt.Kind(of: String((0..<length).compactMap { _ in alphabet.randomElement(using: &random) }))
        }
    }
}

@Suite struct Base64Tests {
    @Test(arguments: 1...10) func `Every value in base64url is decoded to itself`(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for length in 0..<100 {
            let data = Data((0..<length).map { _ in UInt8.random(in: .min ... .max, using: &random) })
            #expect(Data(base64URL: Data(data.base64URL.utf8)) == data)
        }
    }

    /// "QQ" is one byte in two characters, so four bits of the second mean nothing.
    @Test(arguments: ["QR", "Q", "QQ==", "QQ\n", " QQ", "Q+", "Q/", "QÄ", "QQQ.", "QQQQQ"])
    func `Only the exact base64url form is decoded`(_ text: String) {
        #expect(Data(base64URL: Data("QQ".utf8)) == Data("A".utf8))
        #expect(Data(base64URL: Data(text.utf8)) == nil)
    }

    @Test(arguments: ["QR==", "QQ", "QQ=", "QQ==\n", "Q Q=="])
    func `Only the exact base64 form of a certificate is decoded`(_ text: String) {
        #expect(Data(strictBase64: Data("QQ==".utf8)) == Data("A".utf8))
        #expect(Data(strictBase64: Data(text.utf8)) == nil)
    }

    /// Each byte in place of one of a JWS's, compared with the definition in words.
    @Test func `A text has the form of a JWS exactly by the definition`() {
        let jws = Array("aZ09-_.b.c".utf8)
        let alphabet = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        for place in jws.indices {
            for byte in UInt8.min...0x7F {
                var bytes = jws
                bytes[place] = byte
                let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
                let isOne = parts.count == 3 && parts.allSatisfy { !$0.isEmpty && $0.allSatisfy(alphabet.contains) }
                let text = String(decoding: bytes, as: UTF8.self)
                #expect((Receipt.Kind(of: text) == .signedTransaction) == isOne, "\(text)")
            }
        }
        for text in ["a.b.cé", "é.b.c", "a.b.c.", ".a.b.c", "a..b.c", "a.b", "a.b.c.d", "..", ""] {
            #expect(Receipt.Kind(of: text) != .signedTransaction, "\(text)")
        }
    }

    /// One character of another kind in any place, and it is no JWS.
    @Test func `A JWS has characters of base64url only`() {
        let parts = [String(repeating: "aZ09-_", count: 8), "Q", String(repeating: "z", count: 17)]
        let isOne = { (text: String) in Receipt.Kind(of: text) == .signedTransaction }
        #expect(isOne(parts.joined(separator: ".")))
        let allowed = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_")
        for (number, part) in parts.enumerated() {
            for place in 0..<part.count {
                for byte in UInt8.min...UInt8.max {
                    let character = Character(UnicodeScalar(byte))
                    var (changed, characters) = (parts, Array(part))
                    characters[place] = character
                    changed[number] = String(characters)
                    #expect(isOne(changed.joined(separator: ".")) == allowed.contains(character))
                }
            }
        }
        for text in ["..", "a..b", ".a.b", "a.b.", "a.b", "a.b.c.", "a.b.c.d", "abc"] { #expect(!isOne(text)) }
    }
}
