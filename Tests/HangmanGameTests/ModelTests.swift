import Foundation
import HangmanGame
import Testing

@Suite struct ModelTests {
    private func press(_ keys: [Key], in model: inout Model) -> [Command] { keys.flatMap { model.update(.key($0)) } }

    @Test func `Screens are chosen by numbers, tab and arrows`() {
        var model = Fixtures.model()
        for (key, tab) in [
            (.tab, .store), (.right, .packs), (.backTab, .store), (.left, .play), (.backTab, .account), (.tab, .play),
            (.character("3"), .packs), (.character("1"), .play),
        ] as [(Key, Tab)] {
            #expect(press([key], in: &model).isEmpty)
            #expect(model.tab == tab)
        }
        #expect(press([.control("c")], in: &model) == [.quit])
        #expect(press([.control("z")], in: &model) == [.suspend])
    }

    @Test func `A game is played and counted once`() throws {
        var model = Fixtures.model()
        let entry = try #require(WordEntry(word: "jazz", clue: "Music"))
        #expect(press([.enter], in: &model) == [.deal(nil)])
        #expect(model.update(.dealt(entry, pack: "Hard words")) == [.save])
        #expect(press([.enter], in: &model) == [])
        #expect(press([.character("j"), .character("j")], in: &model) == [.save])
        #expect(model.notice == "You tried J already.")
        #expect(
            press([.character("a"), .character("z"), .character("z"), .character("q")], in: &model) == [.save, .save])
        #expect(model.saved.won == 1)
        let key = UUID()
        #expect(model.update(.hintBegan(key)) == [.save])
        #expect(model.update(.hintPaid(key)) == [.save])
        #expect(model.saved.won == 1)
        #expect(model.saved.lost == 0)
    }

    @Test func `A hint is paid once, and refused without credits`() throws {
        var model = Fixtures.model()
        #expect(press([.character("?")], in: &model) == [])
        model.saved.game = try Fixtures.game()
        #expect(press([.character("?"), .character("?")], in: &model) == [.spendHint])
        let key = UUID()
        #expect(model.update(.hintBegan(key)) == [.save])
        #expect(model.saved.hintKey == key)
        #expect(model.update(.hintPaid(UUID())) == [])
        #expect(model.update(.hintPaid(key)) == [.save])
        #expect(model.game?.showsClue == true)
        #expect(model.update(.hintPaid(key)) == [])
        #expect(model.game?.shown == "_ _ _ _")
        #expect(press([.character("?")], in: &model) == [.spendHint])
        #expect(model.update(.hintBegan(key)) == [.save])
        #expect(model.update(.hintRefused("the answer was lost", isOver: false)) == [.save])
        #expect(model.notice == "The answer was lost.")
        #expect(model.saved.hintKey == key)
        #expect(press([.character("?")], in: &model) == [.spendHint])
        #expect(model.update(.hintRefused("no", isOver: true)) == [.save])
        #expect(model.saved.hintKey == nil)
        model.shop.hints = 0
        #expect(press([.character("?")], in: &model) == [])
        #expect(model.notice == "No hints are left. The store has some.")
        model.shop.hints = 1
        model.isOffline = true
        #expect(press([.character("?")], in: &model) == [])
        #expect(model.notice == "A hint needs the network, and you are offline.")
    }

    @Test func `The store screen buys products and installs their bundles`() {
        var model = Fixtures.model()
        model.tab = .store
        #expect(press([.up, .enter], in: &model) == [.buy("com.example.hangman.tenhints")])
        #expect(press([.down, .enter], in: &model) == [.install("hard-words"), .save])
        #expect(model.update(.downloaded("hard-words", refusal: nil, isOver: true)) == [.save])
        #expect(press([.down, .enter], in: &model) == [])
        #expect(press([.character("p")], in: &model) == [.pause("night-theme"), .save])
        #expect(model.saved.downloads == ["night-theme": true])
        #expect(press([.character("x")], in: &model) == [.cancel("night-theme"), .save])
        #expect(model.saved.downloads == [:])
        #expect(press([.down, .down, .down, .down, .enter], in: &model) == [])
        #expect(model.selectedItem?.id == "com.example.hangman.club.monthly")
        #expect(model.update(.bought("com.example.hangman.ioswords", .delivered)) == [.install("ios-words"), .save])
        #expect(model.saved.downloads == ["ios-words": false])
        #expect(model.update(.downloaded("ios-words", refusal: "no network", isOver: false)) == [.save])
        #expect(model.notice == "Ios words: no network.")
        #expect(model.saved.downloads == ["ios-words": false])
        #expect(model.update(.downloaded("ios-words", refusal: nil, isOver: true)) == [.save])
        #expect(model.notice == "Ios words is installed.")
        #expect(model.saved.downloads == [:])
        #expect(model.update(.bought("com.example.hangman.ioswords", .delivered)) == [.install("ios-words"), .save])
        #expect(model.notice == "iOS words: delivered.")
        #expect(model.update(.bought("com.example.hangman.hardwords", .alreadyDelivered)) == [])
        #expect(model.update(.bought("com.example.hangman.ioswords", .pending)) == [])
        #expect(model.notice == "iOS words: waits for approval.")
        #expect(press([.character("r"), .character("q")], in: &model) == [.refresh, .quit])
        #expect(model.notice == "Refreshing…")
        _ = model.update(.refreshed(refusal: nil))
        #expect(model.notice == "Up to date.")
        model.notice = "Night theme is locked now."
        _ = model.update(.refreshed(refusal: nil))
        #expect(model.notice == "Night theme is locked now.")
        _ = model.update(.refreshed(refusal: "the server cannot be reached"))
        #expect(model.notice == "The server cannot be reached.")
        model.isOffline = true
        #expect(press([.up, .enter, .character("r")], in: &model) == [])
    }

    @Test func `A product whose time runs is extended, and an update is installed`() {
        var model = Fixtures.model()
        (model.tab, model.rows[.store]) = (.store, 1)
        #expect(Screen(model).lines.contains { $0.text.contains("Enter update") })
        model.shop.bundles[1].update = nil
        #expect(!Screen(model).lines.contains { $0.text.contains("Enter") })
        #expect(press([.enter], in: &model) == [])
        model.rows[.store] = 2
        model.shop.bundles[3].installed = "1.0.0"
        #expect(press([.enter], in: &model) == [])
        model.shop.items[2].canBeExtended = true
        #expect(Screen(model).lines.contains { $0.text.contains("Enter extend") })
        #expect(press([.enter], in: &model) == [.extend("com.example.hangman.nighttheme.month")])
        model.isOffline = true
        #expect(press([.enter], in: &model) == [])
    }

    @Test func `A paused download goes on`() {
        var model = Fixtures.model()
        model.tab = .packs
        model.rows[.packs] = 3
        #expect(press([.enter], in: &model) == [])
        #expect(press([.character("p")], in: &model) == [.pause("night-theme"), .save])
        model.shop.bundles[3].transfer?.phase = .paused
        #expect(
            press([.character("p"), .enter], in: &model) == [.resume("night-theme"), .save, .resume("night-theme")])
        #expect(model.saved.downloads == ["night-theme": false])
        model.shop.bundles[3].transfer?.phase = .failed("no room")
        #expect(press([.enter], in: &model) == [.install("night-theme")])
        model.rows[.packs] = 2
        #expect(press([.character("u")], in: &model) == [.install("hard-words"), .save])
    }

    @Test func `A pack or theme whose access ended is not used any more`() {
        var model = Fixtures.model()
        model.tab = .packs
        #expect(press([.down, .down, .enter], in: &model) == [.save])
        #expect(model.saved.pack == "hard-words")
        #expect(model.notice == "The next word is from Hard words.")
        model.saved.theme = "night-theme"
        var shop = Fixtures.shop
        #expect(model.update(.shop(shop)) == [])
        shop.bundles[1].isReadable = false
        shop.bundles[3].isReadable = false
        #expect(model.update(.shop(shop)) == [.save])
        #expect(model.saved.pack == nil)
        #expect(model.saved.theme == nil)
        #expect(model.notice == "Night theme is locked now.")
        #expect(press([.enter], in: &model) == [])
        #expect(model.notice == "Hard words is locked. The store has it.")
    }

    @Test func `The player is told once of a pack that came by itself, also in a later start`() throws {
        var shop = Fixtures.shop
        var model = Model()
        shop.bundles[0].isEssential = true
        shop.bundles[0].installed = nil
        #expect(model.update(.shop(shop)) == [])
        shop.bundles[0].installed = "1.0.0"
        #expect(model.update(.shop(shop)) == [.save])
        #expect(model.notice == "Animals came with the game, in your language. Choose it in Packs.")
        var later = Model(saved: try JSONDecoder().decode(Saved.self, from: JSONEncoder().encode(model.saved)))
        #expect(later.update(.shop(shop)) == [])
        later.saved.arrived = nil
        #expect(later.update(.shop(shop)) == [.save])
    }

    @Test func `A theme is chosen and put back`() throws {
        var model = Fixtures.model()
        model.tab = .packs
        model.shelf.items.append(
            .init(bundle: "night-theme", title: "Night", kind: .theme(Theme(name: "Night", palette: [:]))))
        model.shop.bundles[3].installed = "1.0.0"
        model.shop.bundles[3].transfer = nil
        model.rows[.packs] = 3
        #expect(model.theme == nil)
        #expect(press([.enter], in: &model) == [.save])
        #expect(model.theme?.name == "Night")
        #expect(press([.enter], in: &model) == [.save])
        #expect(model.theme == nil)
    }

    @Test func `A recovery code is typed or pasted`() {
        var model = Fixtures.model()
        model.tab = .account
        #expect(press([.character("c")], in: &model) == [.readCode])
        #expect(model.update(.code("ABCD-EFGH")) == [])
        #expect(Screen(model).lines.contains { $0.text.contains("ABCD-EFGH") })
        #expect(press([.tab], in: &model) == [])
        #expect(model.code == nil)
        model.tab = .account
        #expect(press([.character("e"), .character("1"), .tab, .character("c"), .backspace], in: &model) == [])
        #expect(press([.paste(" QM-\u{1B}2\n"), .enter], in: &model) == [.signIn("1QM-2")])
        #expect(press([.character("e"), .character("1"), .escape, .character("p")], in: &model) == [])
        #expect(model.notice.hasSuffix("Press p again to restore."))
        #expect(press([.up, .character("p")], in: &model) == [])
        #expect(press([.character("p")], in: &model) == [.restore])
        #expect(press([.character("o"), .character("p"), .character("e")], in: &model) == [.setOffline(true)])
        #expect(press([.character("o")], in: &model) == [.setOffline(false)])
    }
}
