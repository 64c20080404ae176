/// The answers of `--plain`, a line each.
package enum PlainText {
    /// The word so far, and how many letters were wrong.
    package static func board(_ game: Game) -> String {
        let word = "\(game.shown), \(game.wrong.count) of \(Game.wrongLetters) wrong"
        let letters = game.wrong.isEmpty ? "" : " (\(game.wrong.joined(separator: " ")))"
        switch game.outcome {
        case .playing: return word + letters
        case .won: return "\(word + letters): you found it"
        case .lost: return "\(word + letters): you lost, it was \(game.entry.word)"
        }
    }

    /// A new word.
    package static func dealt(_ game: Game) -> String {
        "\(game.pack), \(game.entry.word.count) letters: \(board(game))"
    }

    package static func guessed(_ letter: Character, _ answer: Game.Answer, _ game: Game) -> String {
        switch answer {
        case .right: "right: \(board(game))"
        case .wrong: "wrong: \(board(game))"
        case .repeated: "\(letter) was tried already: \(board(game))"
        case .refused where game.outcome != .playing: "the game is over: \(board(game))"
        case .refused: "not a letter from a to z: \(board(game))"
        }
    }

    /// The clue that a hint showed, and the board.
    package static func hinted(_ game: Game, left: Int) -> String {
        "hint: \(game.entry.clue); \(board(game)); \(left) hints left"
    }

    /// Every product that may be bought or was bought, with its price or its state.
    package static func store(_ shop: Shop) -> String {
        let items = shop.items.filter { $0.state != .unavailable }.map { item in
            "\(item.id) \(Columns.printable(item.name)) \(state(item))"
        }
        return items.isEmpty ? "nothing is on sale" : items.joined(separator: "; ")
    }

    private static func state(_ item: ShopItem) -> String {
        switch item.state {
        case .available: item.price ?? "no price"
        case .owned(let day?): "owned until \(day)"
        default: item.state.word
        }
    }
}
