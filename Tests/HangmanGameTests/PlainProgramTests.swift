import Foundation
import TestSupport
import Testing

/// The built program, controlled by commands, with a server and its simulated App Store.
@Suite(.enabled(if: PlainGame.isBuilt && FileManager.default.isExecutableFile(atPath: ProgramProcess.server.path)))
struct PlainProgramTests {
    private static let prefix = "com.example.hangman."

    private static func reported(
        account: String?, hints: Int, owned: Set<String> = [], _ bundles: [PlainGame.Reported.Bundle]
    ) -> PlainGame.Reported {
        let products = ["tenhints", "hundredhints", "hardwords", "ioswords", "nighttheme.month", "club.monthly"]
        return PlainGame.Reported(
            account: account, online: true, balances: ["hints": hints],
            products: products.map { name in
                PlainGame.Reported.Product(id: prefix + name, state: owned.contains(name) ? "owned" : "available")
            },
            bundles: bundles)
    }

    private static func bundle(
        _ name: String, version: String? = "1.0.0", installed: Bool = false, readable: Bool = false
    ) -> PlainGame.Reported.Bundle {
        PlainGame.Reported.Bundle(bundle: name, version: version, installed: installed, update: nil, readable: readable)
    }

    @Test func `A game is played and bought for by commands`() async throws {
        let server = try await GameServer()
        let game = try PlainGame(server, home: server.folder.appending(path: "phone"))
        let first = Self.reported(
            account: nil, hints: 20,
            [
                Self.bundle("animals", readable: true), Self.bundle("hard-words"),
                Self.bundle("ios-words"), Self.bundle("night-theme"), Self.bundle("tiere", readable: true),
            ])
        #expect(try await game.status(expecting: first) == first)
        #expect(try await game.ask("store").hasPrefix("\(Self.prefix)tenhints Ten hints $0.99; "))
        #expect(try await game.ask("code").hasPrefix("there is no account yet"))
        #expect(try await game.askServer("install hard-words") == "hard-words: it is locked (notPurchased)")
        for product in ["tenhints", "hardwords"] {
            let id = "\(Self.prefix)\(product)"
            #expect(try await game.askServer("buy \(id)") == "\(id): delivered")
        }
        #expect(try await game.askServer("buy nothing") == "nothing: not on sale")
        #expect(try await game.askServer("install nothing") == "nothing: the server has no such bundle for this game")
        #expect(try await game.status().bundles.count == 5)
        let (words, month) = ("\(Self.prefix)hardwords", "\(Self.prefix)nighttheme.month")
        #expect(try await game.askServer("buy \(words)") == "\(words): delivered already")
        #expect(try await game.askServer("extend \(words)") == "\(words): there is no time to extend")
        for (act, answer) in [("buy", "delivered"), ("buy", "delivered already"), ("extend", "delivered")] {
            #expect(try await game.askServer("\(act) \(month)") == "\(month): \(answer)")
        }
        #expect(try await game.askServer("restore") == "restored: 2 products are yours now")
        #expect(try await game.askServer("install hard-words") == "hard-words: 1.0.0 installed")
        #expect(try await game.ask("pack hard-words") == "words: Hard words")
        try await play(game, hints: 29)
        let code = try #require(try await game.ask("code").split(separator: " ").last)

        let other = try PlainGame(server, home: server.folder.appending(path: "tablet"))
        let account = try #require(try await game.status().account)
        let opened = try await other.askServer("restore \(code)")
        #expect(opened == "the account \(account) is open, with all that it owns")
        let bundles = [
            Self.bundle("animals", readable: true), Self.bundle("hard-words", readable: true), Self.bundle("ios-words"),
            Self.bundle("night-theme", readable: true), Self.bundle("tiere", readable: true),
        ]
        let reported = Self.reported(
            account: account, hints: 29, owned: ["hardwords", "nighttheme.month"], bundles)
        #expect(try await other.status(expecting: reported) == reported)
        #expect(try await other.askServer("install hard-words") == "hard-words: 1.0.0 installed")
        try await goOffline(other)
        #expect(try await other.end() == 0)
        #expect(try await game.end("quit") == 0)
        try await server.end()
    }

    /// A word of the pack, a letter and a hint.
    private func play(_ game: PlainGame, hints: Int) async throws {
        #expect(try await game.ask("play").contains(/^Hard words, \d+ letters: _( _)*, 0 of 6 wrong$/))
        #expect(try await game.ask("guess e").contains(/^(right: .*, 0|wrong: .*, 1) of 6 wrong/))
        #expect(try await game.ask("guess 7").hasPrefix("not a letter from a to z: "))
        #expect(try await game.askServer("hint").contains(try Regex("^hint: .+; \(hints) hints left$")))
        #expect(try await game.ask("fly").hasPrefix("unknown or incomplete: fly; commands: store, "))
    }

    private func goOffline(_ game: PlainGame) async throws {
        #expect(try await game.ask("offline on") == "offline: what is installed can be played")
        for command in ["buy \(Self.prefix)tenhints", "refresh"] {
            #expect(try await game.ask(command) == "this needs the network, and you are offline")
        }
        #expect(try await game.status().online == false)
        #expect(try await game.ask("pack hard-words") == "words: Hard words")
        #expect(try await game.ask("play").hasPrefix("Hard words, "))
        #expect(try await game.askServer("offline off") == "online")
        try await eventually("it is online") { try await game.status().online }
    }

    /// A folder belongs to one process at a time, and is free when that ended in any way. What needs no server works
    /// without one.
    @Test func `A folder is used by one game at a time`() async throws {
        let server = try await GameServer()
        let home = server.folder.appending(path: "phone")
        let game = try PlainGame(server, home: home)
        #expect(try await game.askServer("refresh") == "refreshed")
        let second = try PlainGame(server, home: home)
        #expect(try await second.exitStatus() == 1)
        #expect(second.complaint == "Error: another game uses \(home.path)\n")
        #expect(try await game.ask("play").hasPrefix("Everyday words, "))
        game.kill()
        try await server.kill()
        let third = try PlainGame(server, home: home)
        #expect(try await third.ask("refresh") == "this needs the network, and the server cannot be reached")
        #expect(try await third.ask("guess e").contains(#/^(right|wrong): /#))
        #expect(try await third.end("quit") == 0)
        // What a new player without the network sees is what the game was built with, as the server would list it.
        let new = try PlainGame(server, home: server.folder.appending(path: "tablet"))
        let products = try await new.status().products
        #expect(products.map(\.id) == Self.reported(account: nil, hints: 0, []).products.map(\.id))
        #expect(products.allSatisfy { $0.state == "unavailable" })
        #expect(try await new.end("quit") == 0)
        try await server.end()
    }
}
