import HangmanGame
import Testing

@Suite struct PlainTests {
    @Test(
        arguments: [
            ("store", .store), (" status ", .status), ("buy com.example.x", .buy("com.example.x")),
            ("extend com.example.x", .extend("com.example.x")),
            ("install hard-words", .install("hard-words")), ("play", .play), ("guess e", .guess("e")), ("hint", .hint),
            ("code", .code), ("restore QM-1", .restore("QM-1")), ("restore", .restorePurchases),
            ("offline on", .offline(true)),
            ("offline off", .offline(false)), ("quit", .quit), ("pack hard-words", .pack("hard-words")),
            ("pack", .pack(nil)),
            ("theme", .theme(nil)), ("refresh", .refresh), ("help", .help), ("", .nothing), ("  ", .nothing),
        ] as [(String, PlainCommand)])
    func `Lines are read as commands`(line: String, command: PlainCommand) {
        #expect(PlainCommand(line) == command)
    }

    @Test(arguments: ["buy", "guess ab", "offline", "offline maybe", "guess a b", "fly", "fly away", "store now"])
    func `Other lines are answered with a reason`(line: String) {
        guard case .wrong(let reason) = PlainCommand(line) else {
            Issue.record("\(line) is a command")
            return
        }
        #expect(!reason.contains("\n"))
    }

    @Test func `The status is one line of JSON`() throws {
        var shop = Fixtures.shop
        shop.items.removeLast(4)
        shop.bundles.removeFirst()
        shop.bundles.removeLast()
        let line = try Status(shop, isOffline: false).line()
        let bundles = [
            #"{"bundle":"hard-words","installed":true,"readable":true,"update":"1.1.0","version":"1.0.0"}"#,
            #"{"bundle":"ios-words","installed":false,"readable":false,"version":"1.0.0"}"#,
        ]
        let products = [
            #"{"id":"com.example.hangman.tenhints","state":"available"}"#,
            #"{"id":"com.example.hangman.hardwords","state":"owned"}"#,
        ]
        #expect(
            line == #"{"account":"0b0e5c1e-0000-4000-8000-000000000001","balances":{"hints":20},"#
                + #""bundles":[\#(bundles.joined(separator: ","))],"online":true,"#
                + #""products":[\#(products.joined(separator: ","))]}"#)
        #expect(
            try Status(Shop(), isOffline: false).line()
                == #"{"account":null,"balances":{"hints":0},"bundles":[],"online":false,"products":[]}"#)
        #expect(try Status(shop, isOffline: true).line().contains(#""online":false"#))
    }

    @Test func `A game is described in lines`() throws {
        var game = try Fixtures.game("jazz")
        #expect(PlainText.dealt(game) == "Hard words, 4 letters: _ _ _ _, 0 of 6 wrong")
        let reported = "azze?bcdfgx".map { letter in
            let answer = game.guess(letter)
            return PlainText.guessed(letter, answer, game)
        }
        #expect(
            reported == [
                "right: _ A _ _, 0 of 6 wrong", "right: _ A Z Z, 0 of 6 wrong",
                "z was tried already: _ A Z Z, 0 of 6 wrong",
                "wrong: _ A Z Z, 1 of 6 wrong (e)", "not a letter from a to z: _ A Z Z, 1 of 6 wrong (e)",
                "wrong: _ A Z Z, 2 of 6 wrong (e b)", "wrong: _ A Z Z, 3 of 6 wrong (e b c)",
                "wrong: _ A Z Z, 4 of 6 wrong (e b c d)", "wrong: _ A Z Z, 5 of 6 wrong (e b c d f)",
                "wrong: _ A Z Z, 6 of 6 wrong (e b c d f g): you lost, it was jazz",
                "the game is over: _ A Z Z, 6 of 6 wrong (e b c d f g): you lost, it was jazz",
            ])
        #expect(
            PlainText.hinted(try Fixtures.game(), left: 19)
                == "hint: Music of New Orleans; _ _ _ _, 0 of 6 wrong; 19 hints left")
        #expect(
            PlainText.store(Fixtures.shop).hasPrefix(
                "com.example.hangman.tenhints Ten hints $0.99; com.example.hangman.hardwords Hard words owned; "
                    + "com.example.hangman.nighttheme.month Night theme, a month owned until 2026-12-23; "))
        #expect(!PlainText.store(Fixtures.shop).contains("gone"))
    }
}
