extension Screen {
    /// The gallows at the left, the word and the letters at the right.
    var play: [StyledLine] {
        let left = Gallows.lines(stage: model.game?.stage ?? 0)
        let right = board(columns: size.columns - Gallows.width - 8)
        return [StyledLine()]
            + (0..<max(left.count, right.count)).map { row in
                let picture = row < left.count ? left[row] : StyledLine()
                let text = row < right.count ? right[row] : StyledLine()
                return StyledLine("   ") + picture.fitted(to: Gallows.width) + StyledLine("    ") + text
            }
    }

    private func board(columns: Int) -> [StyledLine] {
        let score = StyledLine("won \(model.saved.won), lost \(model.saved.lost)", .muted)
        guard let game = model.game else {
            return [score, StyledLine(), StyledLine("Press Enter for a word to guess.", .strong)]
        }
        let top = StyledLine.apart(StyledLine(game.pack, .muted), score, in: columns)
        return [top, StyledLine(), word(game), StyledLine()] + letters(game) + [
            StyledLine(), tries(game), StyledLine(),
        ]
            + end(of: game) + clue(game, columns)
    }

    private func word(_ game: Game) -> StyledLine {
        StyledLine(game.shown, Style(game.outcome == .lost ? .wrong : .text, isBold: true))
    }

    /// The alphabet in three rows; a letter that was tried is a dot.
    private func letters(_ game: Game) -> [StyledLine] {
        let rows = ["abcdefghi", "jklmnopqr", "stuvwxyz"]
        return rows.map { row in
            StyledLine(
                row.map { letter in
                    let isTried = game.tried.contains(String(letter))
                    return .init((isTried ? "·" : letter.uppercased()) + " ", isTried ? .muted : .text)
                })
        }
    }

    private func tries(_ game: Game) -> StyledLine {
        let count = "\(game.wrong.count) of \(Game.wrongLetters) wrong"
        guard !game.wrong.isEmpty else { return StyledLine(count, .muted) }
        return StyledLine(count + ": ", .muted)
            + StyledLine(game.wrong.joined(separator: " ").uppercased(), Style(.wrong))
    }

    private func end(of game: Game) -> [StyledLine] {
        switch game.outcome {
        case .playing: []
        case .won: [StyledLine("You found it.", Style(.correct, isBold: true))]
        case .lost: [StyledLine("It was \(game.entry.word.uppercased()).", Style(.wrong, isBold: true))]
        }
    }

    private func clue(_ game: Game, _ columns: Int) -> [StyledLine] {
        guard game.showsClue || game.outcome != .playing else { return [] }
        return Columns.wrap("Clue: " + game.entry.clue, columns).map { StyledLine($0, Style(.accent)) }
    }
}
