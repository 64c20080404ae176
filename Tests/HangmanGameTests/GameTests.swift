import HangmanGame
import Testing

@Suite struct GameTests {
    @Test func `A word is found letter by letter`() throws {
        var game = try Fixtures.game("jazz")
        #expect(game.shown == "_ _ _ _")
        #expect(game.guess("z") == .right)
        #expect(game.guess("Z") == .repeated)
        #expect(game.shown == "_ _ Z Z")
        #expect(game.guess("q") == .wrong)
        for letter in ["1", "?", "é", " "] as [Character] { #expect(game.guess(letter) == .refused) }
        #expect(game.guess("J") == .right)
        #expect(game.outcome == .playing)
        #expect(game.guess("a") == .right)
        #expect(game.outcome == .won)
        #expect(game.stage == 1)
        #expect(game.guess("b") == .refused)
        #expect(game.wrong == ["q"])
    }

    @Test func `The sixth wrong letter loses the game`() throws {
        var game = try Fixtures.game("jazz")
        for (index, letter) in "bcdef".enumerated() {
            #expect(game.guess(letter) == .wrong)
            #expect(game.stage == index + 1)
            #expect(game.outcome == .playing)
        }
        #expect(game.guess("g") == .wrong)
        #expect(game.outcome == .lost)
        #expect(game.stage == Game.wrongLetters)
        #expect(game.guess("j") == .refused)
    }

    @Test func `The first hint shows the clue, and each further one a letter`() throws {
        var game = try Fixtures.game("jazz")
        game.hint()
        #expect(game.showsClue)
        #expect(game.shown == "_ _ _ _")
        for shown in ["J _ _ _", "J A _ _", "J A Z Z"] {
            game.hint()
            #expect(game.shown == shown)
        }
        #expect(game.outcome == .won)
        #expect(game.wrong.isEmpty)
        let over = game
        game.hint()
        #expect(game == over)
    }

    @Test(arguments: ["abc", "abcdefghijklmnopq", "Word", "naïve", "two words", "", "wörd"])
    func `Only words that can be typed are accepted`(word: String) { #expect(WordEntry(word: word, clue: "") == nil) }

    @Test func `The twenty built-in words have the form of a pack`() {
        #expect(WordPack.builtIn.entries.count == 20)
        #expect(Set(WordPack.builtIn.entries.map(\.word)).count == 20)
        for entry in WordPack.builtIn.entries { #expect((1...60).contains(entry.clue.count)) }
    }
}
