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
