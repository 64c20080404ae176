import HangmanGame
import Testing

@Suite struct TextTests {
    @Test(arguments: [
        ("abc", 3), ("é", 1), ("e\u{301}", 1), ("漢字", 4), ("ｆ", 2), ("🙂", 2), ("👩‍👩‍👧", 2), ("❤️", 2), ("\u{200B}", 0),
        ("─╱", 2),
        ("", 0),
    ])
    func `Columns of text are counted as terminals draw them`(text: String, columns: Int) {
        #expect(Columns.width(text) == columns)
    }

    @Test func `A prefix ends before a character that does not fit`() {
        #expect(Columns.prefix("漢字", 3) == "漢")
        #expect(Columns.prefix("ae\u{301}b", 2) == "ae\u{301}")
        #expect(Columns.prefix("abc", 0) == "")
    }

    @Test func `Characters that control a terminal are not printed`() {
        #expect(Columns.printable("a\u{1B}[2J\r\n\u{9B}b\u{202E}c\u{2028}\u{7F}é") == "a[2Jbcé")
    }

    @Test func `Text is broken at spaces`() {
        #expect(Columns.wrap("one two three", 7) == ["one two", "three"])
        #expect(Columns.wrap("abcdefgh ij", 4) == ["abcd", "ij"])
        #expect(Columns.wrap("x", 0) == [])
    }

    @Test(arguments: 0...12) func `A line is fitted to its columns`(columns: Int) {
        let line = StyledLine("ab漢") + StyledLine("cd", .muted)
        #expect(line.fitted(to: columns).width == columns)
        #expect(StyledLine.apart(line, StyledLine("xyz"), in: columns).width == columns)
    }

    @Test func `The two ends of a line are kept apart`() {
        #expect(StyledLine.apart(StyledLine("abcdef"), StyledLine("xy"), in: 6).text == "abcdxy")
        #expect(StyledLine.apart(StyledLine("ab"), StyledLine("xy"), in: 6).text == "ab  xy")
    }

    @Test(arguments: [
        (-1, "0 B"), (0, "0 B"), (999, "999 B"), (1000, "1.0 KB"), (9_999, "9.9 KB"), (16_568, "16 KB"),
        (999_999, "999 KB"),
        (3_400_000, "3.4 MB"), (20_971_520, "20 MB"), (1_500_000_000, "1.5 GB"),
    ])
    func `Byte counts are written for people`(bytes: Int, text: String) {
        #expect(ByteCount.text(bytes) == text)
    }

    @Test func `Only lines that changed are drawn`() {
        let old = [StyledLine("one"), StyledLine("two")]
        let frame = Frame(theme: nil, hasColors: true)
        #expect(frame.bytes(drawing: old, over: old) == "")
        let drawn = frame.bytes(
            drawing: [StyledLine("one"), StyledLine("six", Style(.wrong, isBold: true))], over: old)
        #expect(drawn == "\u{1B}[?2026h\u{1B}[2;1H\u{1B}[0;1;31msix\u{1B}[0m\u{1B}[?2026l")
        #expect(frame.bytes(drawing: old, over: []).contains("\u{1B}[1;1H\u{1B}[0mone\u{1B}[2;1H\u{1B}[0mtwo"))
    }

    @Test func `Colours are those of the theme, or none`() {
        let red = Theme.Color(red: 255, green: 1, blue: 2)
        let palette = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0, red) })
        var frame = Frame(theme: Theme(name: "", palette: palette), hasColors: true)
        let lines = [StyledLine("x", .selected)]
        #expect(frame.bytes(drawing: lines, over: []).contains("\u{1B}[0;1;38;2;255;1;2;48;2;255;1;2mx"))
        frame.hasColors = false
        #expect(frame.bytes(drawing: lines, over: []).contains("\u{1B}[0;1;7mx"))
        #expect(frame.bytes(drawing: [StyledLine("y", Style(.wrong))], over: []).contains("\u{1B}[0my"))
    }
}
