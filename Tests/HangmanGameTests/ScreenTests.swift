import Foundation
import HangmanGame
import Testing

/// The screens as a player sees them, without the spaces at the ends of lines.
@Suite struct ScreenTests {
    private func text(_ model: Model) -> String {
        Screen(model).lines.map { line in
            String(line.text.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }

    @Test func `The game screen shows the game`() throws {
        var model = Fixtures.model()
        var game = try Fixtures.game()
        for letter in "azeit" { _ = game.guess(letter) }
        game.hint()
        model.saved.game = game
        #expect(
            text(model) == """
                 HANGMAN  [1 Play] 2 Store  3 Packs  4 Account                20 hints · online
                ────────────────────────────────────────────────────────────────────────────────

                      ┌───────┐       Hard words                                  won 0, lost 0
                      │       │
                      │       O       _ A Z Z
                      │      ╱│
                      │       │       · B C D · F G H ·
                      │               J K L M N O P Q R
                      │               S · U V W X Y ·
                      │
                   ═══╧═══════════    3 of 6 wrong: E I T

                                      Clue: Music of New Orleans







                ────────────────────────────────────────────────────────────────────────────────

                 a–z guess  ? hint  Tab next screen  Ctrl-C quit
                """)
    }

    @Test func `The store screen shows the products`() {
        var model = Fixtures.model()
        model.tab = .store
        model.rows[.store] = 2
        model.notice = "Buying Ten hints…"
        #expect(
            text(model) == """
                 HANGMAN   1 Play [2 Store] 3 Packs  4 Account                20 hints · online
                ────────────────────────────────────────────────────────────────────────────────

                   Ten hints                                            $0.99
                   Hard words                       16 KB               installed
                 ▸ Night theme, a month             41 KB               ↓ 37 %
                   iOS words                        18 KB               $2.99
                   Club                             76 KB               waits for approval

                   About Night theme, a month.











                ────────────────────────────────────────────────────────────────────────────────
                 Buying Ten hints…
                 ↑↓ choose  Enter install  p pause  x cancel  r refresh  q quit
                """)
    }

    @Test func `The packs screen shows packs and themes`() {
        var model = Fixtures.model(60, 20)
        model.tab = .packs
        model.rows[.packs] = 2
        #expect(
            text(model) == """
                 1 Play  2 Store [3 Packs] 4 Account      20 hints · online
                ────────────────────────────────────────────────────────────

                   ● Everyday words     20 words    built in
                     Animals            40 words    installed 1.0.0
                 ▸   Hard words         495 words   update 1.1.0, 16 KB
                     Night theme                    ↓ 37 %

                   ● is what you play with: words, and colours if a theme
                   is chosen.







                ────────────────────────────────────────────────────────────

                 ↑↓ choose  Enter use  u update  r refresh  q quit
                """)
    }

    @Test func `The account screen shows the account`() {
        var model = Fixtures.model(60, 20)
        model.tab = .account
        model.isOffline = true
        model.entry = "QM-12"
        model.shop.waiting = 2
        #expect(
            text(model) == """
                 1 Play  2 Store  3 Packs [4 Account]    20 hints · offline
                ────────────────────────────────────────────────────────────

                   Account         0b0e5c1e-0000-4000-8000-000000000001
                   Recovery code   hidden; c shows it
                   Waiting         2 purchases to be judged

                   Who has the recovery code has the account. With it,
                   another device gets all that you own.








                ────────────────────────────────────────────────────────────
                 Recovery code: QM-12▏
                 Enter open the account  Esc forget it
                """)
    }

    @Test func `The gallows grow stage by stage`() {
        let pictures = (0...Game.wrongLetters).map { stage in
            Gallows.lines(stage: stage).map(\.text).joined(separator: "\n")
        }
        #expect(Set(pictures).count == Game.wrongLetters + 1)
        #expect(
            pictures.last == """
                   ┌───────┐
                   │       │
                   │       O
                   │      ╱│╲
                   │       │
                   │      ╱ ╲
                   │
                   │
                ═══╧═══════════
                """)
    }

    @Test(arguments: [(60, 20), (80, 24), (200, 60), (61, 21)])
    func `Every screen fills its size`(size: (Int, Int)) throws {
        var model = Fixtures.model(size.0, size.1)
        model.shop.notice = String(repeating: "漢字 and more ", count: 60)
        model.shop.hasOtherOwner = true
        model.saved.game = try Fixtures.game("incomprehensible", clue: String(repeating: "long ", count: 12))
        model.saved.game?.hint()
        for letter in "qwuvxz" { _ = model.saved.game?.guess(letter) }
        for tab in Tab.allCases {
            model.tab = tab
            let lines = Screen(model).lines
            #expect(lines.count == size.1)
            for line in lines { #expect(line.width == size.0) }
            #expect(lines.contains { $0.text.contains("[\(tab.rawValue + 1) \(tab.title)]") })
        }
        model.tab = .play
        #expect(text(model).contains("I N C O M P R E H E N S I B L E") == false)
        #expect(text(model).contains("It was INCOMPREHENSIBLE."))
    }

    /// Pairs of colours in the theme's own list: nobody has checked the contrast of others.
    @Test func `Only colours with a known contrast are used together`() throws {
        struct Manifest: Decodable {
            struct Pair: Decodable, Hashable {
                let foreground: String
                let background: String
            }
            let contrast: [Pair]
        }
        let file = "examples/Hangman/Server/content/night-theme/1.0.0/theme.json"
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let manifest = try JSONDecoder().decode(Manifest.self, from: Data(contentsOf: root.appending(path: file)))
        for model in try Self.models() {
            for span in Screen(model).lines.flatMap(\.spans) where span.text.contains(where: { $0 != " " }) {
                let pair = Manifest.Pair(
                    foreground: span.style.foreground.rawValue, background: span.style.background.rawValue)
                #expect(manifest.contrast.contains(pair), "\(span)")
            }
        }
    }

    /// Every screen, and the three states of a game.
    private static func models() throws -> [Model] {
        try ["", "jaz", "qwertyui"].flatMap { letters in
            var model = Fixtures.model()
            model.saved.game = try Fixtures.game()
            model.saved.game?.hint()
            for letter in letters { _ = model.saved.game?.guess(letter) }
            return Tab.allCases.map { tab in
                var copy = model
                copy.tab = tab
                return copy
            }
        }
    }

    @Test(arguments: [(59, 20), (60, 19), (1, 1), (10, 2)])
    func `A window that is too small says so`(size: (Int, Int)) {
        let lines = Screen(Fixtures.model(size.0, size.1)).lines
        #expect(lines.count == size.1)
        for line in lines { #expect(line.width == size.0) }
        #expect("This window is smaller than 60×20.".hasPrefix(lines.first?.text.prefix(34) ?? "?"))
    }

    @Test func `A terminal without a size has the standard size`() {
        #expect(Size(reported: 0, 0) == .standard)
        #expect(Size(reported: 100, 0) == Size(columns: 100, rows: 24))
        #expect(Size(reported: 100_000, 100_000) == Size(columns: 500, rows: 200))
    }

    @Test func `A list is scrolled to its selected row`() {
        var model = Fixtures.model(60, 20)
        model.tab = .store
        model.shop.items = (1...40).map { Fixtures.item("\($0)", "Product \($0)", "$1", .available) }
        model.rows[.store] = 39
        #expect(text(model).contains("▸ Product 40"))
        #expect(!text(model).contains("Product 1 "))
    }
}
