package import Foundation

/// A pack of words as it is delivered: `pack.json`, and the file of words that it names.
package struct WordPack: Sendable, Equatable {
    /// `pack.json`. Members that this reader does not know are ignored.
    package struct Manifest: Sendable, Equatable, Decodable {
        package let kind: String
        package let formatVersion: Int
        package let name: String
        /// The name of the file of words.
        package let words: String
    }

    /// The file that says what a bundle is, if it is a word pack.
    package static let manifestName = "pack.json"

    package let name: String
    package let entries: [WordEntry]

    package init(name: String, entries: [WordEntry]) {
        self.name = name
        self.entries = entries
    }

    /// - Throws: ``UnreadableContent`` if the bytes are no word pack that this game can read.
    package static func manifest(_ bytes: Data) throws(UnreadableContent) -> Manifest {
        guard let manifest = try? JSONDecoder().decode(Manifest.self, from: bytes), manifest.kind == "word-pack",
            manifest.formatVersion == 1
        else { throw UnreadableContent() }
        return manifest
    }

    /// Reads the file of words: a word, a tab and its clue a line. A line of another form is left out.
    ///
    /// - Throws: ``UnreadableContent`` if no line is left.
    package init(_ manifest: Manifest, words bytes: Data) throws(UnreadableContent) {
        let entries = String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { line -> WordEntry? in
            let parts = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard parts.count == 2, let word = parts.first, let clue = parts.last else { return nil }
            return WordEntry(word: String(word), clue: Columns.printable(String(clue)))
        }
        guard !entries.isEmpty else { throw UnreadableContent() }
        self.init(name: Columns.printable(manifest.name), entries: entries)
    }
}

extension WordPack {
    /// The words that the game brings along, so that it can be played before anything is downloaded.
    package static let builtIn = WordPack(
        name: "Everyday words",
        entries: [
            ("apple", "Fruit that keeps the doctor away"),
            ("bicycle", "Two wheels and your own legs"),
            ("bottle", "Glass with a neck"),
            ("breakfast", "The first thing to eat"),
            ("candle", "Gives light and gets shorter"),
            ("doorbell", "Announces a visitor"),
            ("elephant", "Said never to forget"),
            ("garden", "Where things grow on purpose"),
            ("hammer", "Everything looks like a nail to it"),
            ("island", "Land with water all around"),
            ("kitchen", "Room with the best smells"),
            ("ladder", "Steps to lean against a wall"),
            ("morning", "It begins at sunrise"),
            ("pillow", "Where a head spends the night"),
            ("rainbow", "Sun and rain together"),
            ("sandwich", "Named after an earl"),
            ("teacher", "Has a class"),
            ("umbrella", "Forgotten on trains, missed in the wet"),
            ("violin", "Four strings and a bow"),
            ("window", "A wall that one can look through"),
        ].compactMap { WordEntry(word: $0.0, clue: $0.1) })
}

/// Files that were delivered are of a kind or a format that this game does not know.
package struct UnreadableContent: Error, Sendable, Equatable {
    package init() {}
}

/// A word to be guessed, and its clue.
package struct WordEntry: Sendable, Hashable, Codable {
    /// 4 to 16 letters, `a` to `z`.
    package let word: String
    /// A short text that a hint shows.
    package let clue: String

    /// Lengths that fit on the screen.
    package static let lengths = 4...16

    /// `nil` if the word has other characters than `a` to `z`, or a length outside ``lengths``.
    package init?(word: String, clue: String) {
        guard Self.lengths.contains(word.count), word.allSatisfy(Self.isLetter) else { return nil }
        self.word = word
        self.clue = clue
    }

    /// Whether it is one of the 26 letters that words are made of.
    package static func isLetter(_ character: Character) -> Bool {
        ("a"..."z").contains(character)
    }
}
