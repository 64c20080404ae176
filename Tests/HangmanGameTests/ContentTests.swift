import Foundation
import HangmanGame
import Testing

@Suite struct ContentTests {
    private let pack =
        #"{"kind": "word-pack", "formatVersion": 1, "name": "Jazz", "words": "w.txt", "wordCount": 2, "new": 1}"#
    private static let palette = Role.allCases.map { ##""\##($0.rawValue)": "#0B1026""## }.joined(separator: ", ")

    @Test func `A word pack is read, and malformed lines are left out`() throws {
        let manifest = try WordPack.manifest(Data(pack.utf8))
        #expect(manifest.words == "w.txt")
        let words = "jazz\tMusic\u{1B}[2J\nToo Long\tno\nswing\n\nbebop\tFast\tand more\nblues\tThe caf\u{E9}'s\n"
        let read = try WordPack(manifest, words: Data(words.utf8))
        #expect(read.name == "Jazz")
        #expect(read.entries.map(\.word) == ["jazz", "blues"])
        #expect(read.entries.map(\.clue) == ["Music[2J", "The café's"])
        #expect(throws: UnreadableContent()) { try WordPack(manifest, words: Data("none".utf8)) }
    }

    @Test(arguments: [("word-pack", "theme"), ("Version\": 1", "Version\": 2"), ("{", ""), ("\"name\"", "\"nom\"")])
    func `A word pack of another format is refused`(edit: (String, String)) {
        let bytes = Data(pack.replacing(edit.0, with: edit.1).utf8)
        #expect(throws: UnreadableContent()) { try WordPack.manifest(bytes) }
    }

    @Test func `A theme is read with its colours, and a malformed one refused`() throws {
        let json = #"{"kind": "theme", "formatVersion": 1, "name": "Night", "palette": {\#(Self.palette)}}"#
        let theme = try Theme(Data(json.utf8))
        #expect(theme.name == "Night")
        #expect(theme.palette.count == Role.allCases.count)
        #expect(theme.palette[.rope] == Theme.Color(red: 0x0B, green: 0x10, blue: 0x26))
        for edit in [
            ("\"rope\"", "\"hemp\""), ("#0B1026", "#0B10"), ("#0B1026", "0B10260"), ("Version\": 1", "Version\": 2"),
        ] {
            #expect(throws: UnreadableContent(), "\(edit)") {
                try Theme(Data(json.replacing(edit.0, with: edit.1).utf8))
            }
        }
    }

    @Test(arguments: ["#12345", "#1234567", "123456#", "#12345G", "#+12345", ""])
    func `A malformed colour is refused`(text: String) {
        #expect(Theme.Color(text) == nil)
    }
}
