/// One word being guessed: which letters were tried, and what hints have shown.
package struct Game: Sendable, Equatable, Codable {
    /// The result of a guess.
    package enum Answer: Sendable, Equatable {
        case right, wrong
        /// The letter was tried before: nothing happens.
        case repeated
        /// It is no letter from a to z, or the game is over: nothing happens.
        case refused
    }

    /// How a game stands.
    package enum Outcome: Sendable, Equatable {
        case playing, won, lost
    }

    /// As many wrong letters lose the game; the gallows have a picture for each number up to this.
    package static let wrongLetters = 6

    package let entry: WordEntry
    /// The title of the pack that the word is from.
    package let pack: String
    /// The letters that were tried, in their order.
    package private(set) var tried: [String] = []
    /// Whether a hint has shown the clue.
    package private(set) var showsClue = false

    package init(_ entry: WordEntry, pack: String) {
        self.entry = entry
        self.pack = pack
    }

    /// The wrong letters, in the order in which they were tried.
    package var wrong: [String] { tried.filter { !entry.word.contains($0) } }

    /// Which picture of the gallows to show: 0 is the empty one, ``wrongLetters`` the last.
    package var stage: Int { min(wrong.count, Self.wrongLetters) }

    package var outcome: Outcome {
        if stage == Self.wrongLetters { return .lost }
        return hidden.isEmpty ? .won : .playing
    }

    /// The letters of the word that were not found yet, in the order of the word, each once.
    package var hidden: [String] {
        entry.word.map(String.init).reduce(into: []) { letters, letter in
            if !tried.contains(letter), !letters.contains(letter) { letters.append(letter) }
        }
    }

    /// The word in capitals, with a line for each letter that is not found: `_ A _ _`.
    package var shown: String {
        entry.word.map { tried.contains(String($0)) ? $0.uppercased() : "_" }.joined(separator: " ")
    }

    package mutating func guess(_ character: Character) -> Answer {
        let letter = character.lowercased()
        guard outcome == .playing, letter.count == 1, letter.allSatisfy(WordEntry.isLetter) else { return .refused }
        guard !tried.contains(letter) else { return .repeated }
        tried.append(letter)
        return entry.word.contains(letter) ? .right : .wrong
    }

    /// Shows the clue; if it is shown already, finds the first hidden letter. Nothing happens once the game is over.
    package mutating func hint() {
        guard outcome == .playing else { return }
        if showsClue, let letter = hidden.first {
            tried.append(letter)
        } else {
            showsClue = true
        }
    }
}
