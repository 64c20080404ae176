import Basics
import Testing

/// Only spaces and tabs are optional white space (RFC 9110 §5.6.3), and only at the ends.
@Suite struct OptionalWhitespaceTests {
    @Test(arguments: [
        ("", ""), (" ", ""), (" \t ", ""), ("a", "a"), (" a", "a"), ("a\t", "a"), (" \ta b\t \t", "a b"),
        ("\na\r", "\na\r"), ("\u{A0}a\u{3000}", "\u{A0}a\u{3000}"), (" é🎮 ", "é🎮"),
    ])
    func `Only spaces and tabs at the ends are trimmed`(text: String, trimmed: String) {
        #expect(text.trimmingOptionalWhitespace == trimmed)
        #expect("\(text),rest".prefix(text.count).trimmingOptionalWhitespace == trimmed)
    }
}
