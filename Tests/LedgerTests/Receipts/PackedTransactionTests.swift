import Foundation
import TestSupport
import Testing

@testable import LedgerSQL

/// Signed transactions are read back byte for byte, or are not packed.
@Suite struct PackedTransactionTests {
    @Test(arguments: 1...200 as ClosedRange<UInt64>)
    func `A packed transaction is read back byte for byte`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let jws = SignedText.random(using: &generator)
        let packed = try #require(PackedTransaction(jws))
        #expect(packed.text == jws)
        #expect(PackedTransaction(header: packed.header, stored: packed.bytes).text == jws)
        #expect(packed.header == String(jws.prefix { $0 != "." }))
        #expect(packed.bytes.count < jws.utf8.count - packed.header.utf8.count)
    }

    /// Texts that decoding and encoding would change are stored as they are.
    @Test(arguments: [
        "", "a", "a.b", "a..b", "..", "h.e30.AAAA",
        // Of 63 and of 65 bytes.
        "h.e30.\(String(repeating: "A", count: 84))", "h.e30.\(String(repeating: "A", count: 87))",
        // A fourth part, padding, base64 of the other alphabet, unused bits that are set, a line break.
        "h.e30.\(SignedText.signature).", "h.e30=.\(SignedText.signature)", "h.a+/b.\(SignedText.signature)",
        "h.e31.\(SignedText.signature)", "h.e30.\(SignedText.signature)\n", "h.e\n30.\(SignedText.signature)",
    ])
    func `A text that packing would change is not packed`(text: String) {
        #expect(PackedTransaction(text)?.text == nil)
    }

    @Test func `A payload above 65,535 bytes is not packed`() {
        let most = Data(repeating: 7, count: 65_535)
        #expect(PackedTransaction("h.\(SignedText.base64URL(most)).\(SignedText.signature)") != nil)
        #expect(PackedTransaction("h.\(SignedText.base64URL(most + [7])).\(SignedText.signature)") == nil)
    }

    /// Damaged bytes give nothing or another text, and never a trap. A few give the same: some bits have no meaning,
    /// and text that the dictionary has twice can be copied from either place.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `Damaged packed bytes hardly ever give the original`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let packed = try #require(PackedTransaction(SignedText.random(using: &generator)))
        for length in 0..<packed.bytes.count {
            #expect(PackedTransaction(header: "h", stored: packed.bytes.prefix(length)).text == nil)
        }
        #expect(PackedTransaction(header: "h", stored: packed.bytes + [0]).text == nil)
        let same = packed.bytes.indices.count { place in
            var bytes = packed.bytes
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            return PackedTransaction(header: packed.header, stored: bytes).text == packed.text
        }
        #expect(same * 20 < packed.bytes.count, "\(same) of \(packed.bytes.count)")
    }
}
