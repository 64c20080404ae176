import HangmanGame
import Testing

@Suite struct KeyDecoderTests {
    private static let cases: [(String, [Key])] = [
        ("a", [.character("a")]), ("?1", [.character("?"), .character("1")]), ("é漢🙂", "é漢🙂".map { .character($0) }),
        ("\r", [.enter]), ("\n", [.enter]), ("\t", [.tab]), ("\u{7F}\u{8}", [.backspace, .backspace]),
        ("\u{3}\u{1A}", [.control("c"), .control("z")]),
        ("\u{1B}[A\u{1B}[B\u{1B}[C\u{1B}[D", [.up, .down, .right, .left]), ("\u{1B}OA", [.up]),
        ("\u{1B}[Z", [.backTab]),
        ("\u{1B}[15~\u{1B}[1;5Cx", [.character("x")]), ("\u{1B}\u{1B}[A", [.escape, .up]),
        ("\u{1B}bq", [.character("q")]),
        ("\u{1B}[200~co\u{1B}de\r\u{1B}[201~x", [.paste("co\u{1B}de\r"), .character("x")]),
        ("\u{1B}[200~a\u{1B}\u{1B}[201~", [.paste("a\u{1B}")]),
    ]

    @Test(arguments: cases) func `The bytes of a terminal are decoded to keys`(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array(text.utf8)) == keys)
        #expect(!decoder.isWaiting)
    }

    @Test(arguments: cases) func `Keys are the same when their bytes come one by one`(text: String, keys: [Key]) {
        var decoder = KeyDecoder()
        #expect(text.utf8.flatMap { decoder.decode([$0]) } == keys)
    }

    @Test func `A lone escape is a key once nothing follows it`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B]) == [])
        #expect(decoder.isWaiting)
        #expect(decoder.flush() == [.escape])
        #expect(!decoder.isWaiting)
        #expect(decoder.flush() == [])
        #expect(decoder.decode(Array("[A".utf8)) == [.character("["), .character("A")])
    }

    @Test func `Bytes that are not UTF-8 are dropped`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0xFF, 0x80, 0xC3, 0x28, 0x61]) == [.character("a")])
        #expect(decoder.decode([0xE2, 0x82]) == [])
        #expect(decoder.flush() == [])
        #expect(decoder.decode([0x62]) == [.character("b")])
    }

    @Test func `An endless escape sequence or paste does not grow without limit`() {
        var decoder = KeyDecoder()
        #expect(decoder.decode(Array("\u{1B}[".utf8) + Array(repeating: UInt8(ascii: "1"), count: 30)) == [])
        #expect(!decoder.isWaiting)
        let paste = Array("\u{1B}[200~".utf8) + Array(repeating: UInt8(ascii: "1"), count: 10_000)
        #expect(decoder.decode(paste + Array("\u{1B}[201~".utf8)) == [.paste(String(repeating: "1", count: 4096))])
    }
}
