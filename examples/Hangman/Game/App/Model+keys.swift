extension Model {
    /// Acts by a key: by its meaning on every screen first, then by that on the one that is shown.
    mutating func press(_ key: Key) -> [Command] {
        let isConfirming = asksToRestore
        asksToRestore = false
        if key == .control("c") { return [.quit] }
        if key == .control("z") { return [.suspend] }
        if entry != nil { return type(key) }
        switch key {
        case .tab, .right: return open(tab.advanced(by: 1))
        case .backTab, .left: return open(tab.advanced(by: -1))
        case .character(let digit) where ("1"..."4").contains(digit):
            return open(digit.wholeNumberValue.flatMap { Tab(rawValue: $0 - 1) } ?? tab)
        default: break
        }
        switch tab {
        case .play: return play(key)
        case .store: return shop(key)
        case .packs: return choose(key)
        case .account: return manage(key, isConfirming)
        }
    }

    private mutating func open(_ tab: Tab) -> [Command] {
        code = nil
        notice = ""
        guard tab != self.tab else { return [] }
        self.tab = tab
        return []
    }

    private mutating func move(_ key: Key, of count: Int) {
        if key == .up { rows[tab] = max(0, row(of: count) - 1) }
        if key == .down { rows[tab] = min(max(0, count - 1), row(of: count) + 1) }
    }

    private mutating func play(_ key: Key) -> [Command] {
        switch key {
        case .enter where game?.outcome != .playing: return [.deal(saved.pack)]
        case .character("?"): return askForHint()
        case .character(let letter): return guess(letter)
        default: return []
        }
    }

    private mutating func askForHint() -> [Command] {
        guard game?.outcome == .playing, !isSpending else { return [] }
        guard !isOffline else {
            notice = "A hint needs the network, and you are offline."
            return []
        }
        guard shop.hints > 0 else {
            notice = "No hints are left. The store has some."
            return []
        }
        isSpending = true
        notice = "Spending a hint…"
        return [.spendHint]
    }

    private mutating func guess(_ letter: Character) -> [Command] {
        guard let answer = saved.game?.guess(letter) else { return [] }
        switch answer {
        case .right, .wrong:
            notice = ""
            return end() + [.save]
        case .repeated:
            notice = "You tried \(letter.uppercased()) already."
            return []
        case .refused: return []
        }
    }

    private mutating func shop(_ key: Key) -> [Command] {
        guard let item = selectedItem else { return list(key, count: 0) }
        switch key {
        case .enter: return buy(item)
        case .character("p"), .character("x"): return item.bundles.compactMap(shop.bundle).flatMap { control(key, $0) }
        default: return list(key, count: items.count)
        }
    }

    private mutating func buy(_ item: ShopItem) -> [Command] {
        switch item.state {
        case .available: return pay(for: item, .buy(item.id))
        case .owned:
            let outdated = shop.outdatedBundles(of: item)
            guard outdated.isEmpty, item.canBeExtended else { return outdated.flatMap { install($0) } }
            return pay(for: item, .extend(item.id))
        case .unavailable, .buying, .pending, .waiting: return []
        }
    }

    private mutating func pay(for item: ShopItem, _ command: Command) -> [Command] {
        notice = isOffline ? "Buying needs the network, and you are offline." : "Buying \(item.name)…"
        return isOffline ? [] : [command]
    }

    /// The keys of every list.
    private mutating func list(_ key: Key, count: Int) -> [Command] {
        move(key, of: count)
        switch key {
        case .character("r") where isOffline: notice = "Refreshing needs the network, and you are offline."
        case .character("r"):
            notice = Self.refreshing
            return [.refresh]
        case .character("q"): return [.quit]
        default: break
        }
        return []
    }

    private mutating func choose(_ key: Key) -> [Command] {
        let pack = selectedPack
        switch (key, pack) {
        case (.enter, nil): return use(words: nil)
        case (.enter, let pack?): return use(pack)
        case (.character("u"), let pack?) where pack.update != nil: return install(pack)
        case (.character("p"), let pack?), (.character("x"), let pack?): return control(key, pack)
        default: return list(key, count: packs.count)
        }
    }

    private mutating func use(_ pack: ShopBundle) -> [Command] {
        guard pack.isReadable else {
            notice = "\(pack.title) is locked. The store has it."
            return []
        }
        guard pack.installed != nil else { return install(pack) }
        switch shelf[pack.name]?.kind {
        case .words: return use(words: pack.name)
        case .theme: return use(theme: saved.theme == pack.name ? nil : pack.name)
        case nil:
            notice = "This version of the game cannot read \(pack.title)."
            return []
        }
    }

    /// The next word is of that pack.
    private mutating func use(words pack: String?) -> [Command] {
        saved.pack = pack
        notice = "The next word is from \(pack.map { shelf[$0]?.title ?? $0 } ?? WordPack.builtIn.name)."
        return [.save]
    }

    private mutating func use(theme: String?) -> [Command] {
        saved.theme = theme
        notice = theme == nil ? "The colours are your terminal's own again." : ""
        return [.save]
    }

    private mutating func install(_ pack: ShopBundle) -> [Command] {
        if let transfer = pack.transfer, transfer.isRunning { return [] }
        guard !isOffline else {
            notice = "Downloading needs the network, and you are offline."
            return []
        }
        return [pack.transfer?.phase == .paused ? .resume(pack.name) : .install(pack.name)]
    }

    /// Pauses, goes on, or cancels.
    private func control(_ key: Key, _ pack: ShopBundle) -> [Command] {
        guard let transfer = pack.transfer else { return [] }
        if key == .character("x") { return [.cancel(pack.name)] }
        return [transfer.phase == .paused ? .resume(pack.name) : .pause(pack.name)]
    }

    private mutating func manage(_ key: Key, _ isConfirming: Bool) -> [Command] {
        switch key {
        case .character("c") where code != nil: code = nil
        case .character("c"): return [.readCode]
        case .character("o"):
            isOffline.toggle()
            return [.setOffline(isOffline)]
        case .character("e") where isOffline, .character("p") where isOffline:
            notice = "This needs the network, and you are offline."
        case .character("e"): (entry, code, notice) = ("", nil, "")
        case .character("p") where isConfirming:
            notice = "Restoring purchases…"
            return [.restore]
        case .character("p"):
            asksToRestore = true
            notice = "This also moves what another account of yours bought. Press p again to restore."
        default: return list(key, count: 0)
        }
        return []
    }

    /// The longest recovery code that can be typed.
    private static let maximumEntry = 64

    private mutating func type(_ key: Key) -> [Command] {
        guard let typed = entry else { return [] }
        switch key {
        case .character(let character): append(String(character), to: typed)
        case .paste(let text): append(text, to: typed)
        case .backspace: entry = String(typed.dropLast())
        case .escape: entry = nil
        case .enter where typed.isEmpty: entry = nil
        case .enter:
            entry = nil
            saved.hintKey = nil
            notice = "Opening the account…"
            return [.signIn(typed)]
        default: break
        }
        return []
    }

    private mutating func append(_ text: String, to typed: String) {
        entry = String((typed + Columns.printable(text).filter { !$0.isWhitespace }).prefix(Self.maximumEntry))
    }
}
