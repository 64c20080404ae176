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
