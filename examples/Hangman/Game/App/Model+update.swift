import Foundation

extension Model {
    /// Changes the model by what happened, and tells what is to be done.
    package mutating func update(_ message: Message) -> [Command] {
        let commands = react(to: message)
        let before = saved.downloads
        for command in commands { record(command) }
        return commands + (before == saved.downloads || commands.contains(.save) ? [] : [.save])
    }

    /// Downloads go on at the next start if they were not paused.
    private mutating func record(_ command: Command) {
        switch command {
        case .install(let bundle), .resume(let bundle): saved.downloads[bundle] = false
        case .pause(let bundle): saved.downloads[bundle] = true
        case .cancel(let bundle): saved.downloads[bundle] = nil
        default: break
        }
    }

    private mutating func react(to message: Message) -> [Command] {
        switch message {
        case .key(let key): return press(key)
        case .resized(let size): self.size = size
        case .shop(let shop): return show(shop)
        case .shelf(let shelf): self.shelf = shelf
        case .dealt(let entry, let pack):
            saved.game = Game(entry, pack: pack)
            notice = ""
            return [.save]
        case .hintBegan(let key):
            saved.hintKey = key
            isSpending = true
            return [.save]
        case .hintPaid(let key): return showHint(key)
        case .hintRefused(let reason, let isOver):
            isSpending = false
            notice = Self.sentence(reason)
            if isOver { saved.hintKey = nil }
            return [.save]
        case .bought(let id, let report): return tell(report, of: id)
        case .downloaded(let bundle, let refusal, let isOver): return end(bundle, refusal, isOver)
        case .code(let code):
            self.code = code
            notice = code == nil ? "There is no account yet: it is made with the first purchase, hint or download." : ""
        case .refreshed(let refusal?): notice = Self.sentence(refusal)
        // What the refresh has brought may have something to say already.
        case .refreshed(nil) where notice == Self.refreshing: notice = "Up to date."
        case .refreshed(nil): break
        case .said(let text): notice = Self.sentence(text)
        }
        return []
    }

    /// Shows what was paid, once.
    private mutating func showHint(_ key: UUID) -> [Command] {
        guard saved.hintKey == key else { return [] }
        isSpending = false
        saved.hintKey = nil
        guard game?.outcome == .playing else { return [.save] }
        notice = ""
        saved.game?.hint()
        return end() + [.save]
    }

    private mutating func tell(_ report: PurchaseReport, of id: String) -> [Command] {
        let item = shop.items.first { $0.id == id }
        notice = "\(item?.name ?? id): \(report.text)."
        guard report == .delivered || report == .alreadyDelivered else { return [] }
        return (item?.bundles ?? []).filter { shop.bundle($0)?.installed == nil }.map { .install($0) }
    }

    private mutating func end(_ bundle: String, _ refusal: String?, _ isOver: Bool) -> [Command] {
        let title = shelf[bundle]?.title ?? ShopBundle.title(bundle)
        notice = refusal.map { "\(title): \($0)." } ?? "\(title) is installed."
        if isOver { saved.downloads[bundle] = nil }
        return [.save]
    }

    static let refreshing = "Refreshing…"

    /// With a capital and a full stop.
    private static func sentence(_ text: String) -> String {
        let text = text.prefix(1).uppercased() + text.dropFirst()
        return text.isEmpty || text.hasSuffix(".") || text.hasSuffix("…") ? text : text + "."
    }

    /// Says once what came by itself, and gives up what may not be used any more.
    private mutating func show(_ shop: Shop) -> [Command] {
        self.shop = shop
        var commands: [Command] = []
        for bundle in shop.bundles where bundle.isEssential && bundle.installed != nil {
            guard saved.arrived?.contains(bundle.name) != true else { continue }
            saved.arrived = (saved.arrived ?? []).union([bundle.name])
            notice = "\(bundle.title) came with the game, in your language. Choose it in Packs."
            commands = [.save]
        }
        if let pack = saved.pack, shop.bundle(pack)?.isReadable == false {
            notice = "\(ShopBundle.title(pack)) is locked now. Words are \(WordPack.builtIn.name) again."
            saved.pack = nil
            commands = [.save]
        }
        if let theme = saved.theme, shop.bundle(theme)?.isReadable == false {
            notice = "\(ShopBundle.title(theme)) is locked now."
            saved.theme = nil
            commands = [.save]
        }
        return commands
    }

    /// Counts a game that has just ended.
    mutating func end() -> [Command] {
        switch saved.game?.outcome {
        case .won: saved.won &+= 1
        case .lost: saved.lost &+= 1
        case .playing, nil: return []
        }
        notice = ""
        return []
    }
}
