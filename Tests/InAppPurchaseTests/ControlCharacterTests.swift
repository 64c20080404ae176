import Foundation
import InAppPurchase
import Ledger
import TestSupport
import Testing

/// Names and reasons have no characters that end a line or a text.
@Suite struct ControlCharacterTests {
    static let refused: [String] = [
        "\0", "a\0", "a\nb", "\r", "\t", "a\u{1B}[2J", "\u{7F}", "\u{85}", "\u{9F}", "é\u{2028}", "\u{2029}",
    ]
    static let taken: [String] = ["", "a", "~ !", "é", "日本", "\u{A0}", "e\u{301}", "😀", "\u{202E}", "\u{10FFFF}"]

    @Test(arguments: refused) func `Control characters are recognized`(text: String) {
        #expect(text.hasControlCharacters && text[...].hasControlCharacters)
    }

    @Test(arguments: taken) func `Other characters are not control characters`(text: String) {
        #expect(!text.hasControlCharacters)
    }

    @Test func `Characters that change the direction of text are recognized separately`() {
        for text in ["\u{202E}", "a\u{2066}b", "\u{200F}", "\u{61C}"] { #expect(text.hasBidirectionalControls) }
        for text in ["", "abc", "עברית", "العربية", "\0"] { #expect(!text.hasBidirectionalControls) }
    }

    @Test(arguments: refused) func `A reason with control characters is refused`(text: String) {
        let reason = "ticket" + text + "7"
        #expect(SupportAct(by: .command(user: "root"), reason: reason, at: Date(milliseconds: 0)) == nil)
    }

    @Test(arguments: refused) func `A currency with control characters is refused`(text: String) {
        let scope = Scope(app: "a", environment: .production)
        func adjustment(_ currency: String) -> Adjustment? {
            Adjustment(
                account: AccountID(UUID()), scope: scope, currency: Currency(stored: currency), amount: 1,
                idempotencyKey: "k")
        }
        #expect(adjustment("hints" + text) == nil && adjustment("hints") != nil)
    }

    /// RFC 3339 has four digits for the year.
    @Test func `No duration ends after the year 9999`() throws {
        let start = try #require(Date(rfc3339: "9990-01-01T00:00:00Z"))
        let long = [CalendarDuration(months: 1_200), CalendarDuration(days: 36_000), CalendarDuration(seconds: .max)]
        for duration in long { #expect(duration.end(from: start).rfc3339 == "9999-12-31T23:59:59.999Z") }
    }
}
