import Foundation
import HangmanGame
import QuartermasterClient

/// The game by commands: one a line from standard input, and a line of answer for each.
struct PlainSession {
    /// How long a line waits for the network before it says so.
    private static let patience = Duration.seconds(5)

    private let client: GameClient
    private let home: Home
    private var saved: Saved
    private var isOffline = false

    init(client: GameClient, home: Home) {
        self.client = client
        self.home = home
        saved = home.saved()
    }

    /// Ends with `quit`, or with the input.
    mutating func run() async {
        await client.start()
        let client = client
        for (bundle, isPaused) in saved.downloads where !isPaused { Task { _ = await client.install(bundle) } }
        for await line in Self.lines() {
            let command = PlainCommand(line)
            if command == .quit { break }
            guard command != .nothing else { continue }
            let answer = Columns.printable(await answer(command))
            FileHandle.standardOutput.write(Data((answer + "\n").utf8))
        }
        await client.stop()
    }

    /// The lines of standard input, which a thread of its own waits for.
    private static func lines() -> AsyncStream<String> {
        let (lines, sender) = AsyncStream.makeStream(of: String.self)
        Thread.detachNewThread {
            while let line = readLine() { sender.yield(line) }
            sender.finish()
        }
        return lines
    }

    private mutating func answer(_ command: PlainCommand) async -> String {
        if isOffline, command.needsNetwork { return Reason.offline }
        switch command {
        case .status: return await status()
        case .store:
            _ = await refresh()
            return PlainText.store(await client.shop())
        case .refresh: return await refresh() ?? "refreshed"
        case .buy(let product): return await buy(product, again: false)
        case .extend(let product): return await buy(product, again: true)
        case .install(let bundle): return await install(bundle)
        case .play: return await play()
        case .guess(let letter): return guess(letter)
        case .hint: return await hint()
        case .pack(let bundle): return await choose(\.pack, bundle, "words")
        case .theme(let bundle): return await choose(\.theme, bundle, "theme")
        case .code: return await client.recoveryCode().map { "recovery code: \($0)" } ?? Reason.noAccount
        case .restore(let code): return await restore(code)
        case .restorePurchases: return await client.restore()
        case .offline(let isOffline): return await setOffline(isOffline)
        case .help: return PlainCommand.usage
        case .wrong(let reason): return reason
        case .nothing, .quit: return ""
        }
    }

    /// Refreshes, if that is quickly done.
    private func refresh() async -> String? {
        guard !isOffline else { return Reason.offline }
        return await Self.patient { [client] in await client.refresh() } ?? Reason.unreachable
    }

    /// Returns what the work returns; `nil` if it takes longer. The work is then cancelled.
    private static func patient<Value: Sendable>(_ work: @escaping @Sendable () async -> Value) async -> Value? {
        await withTaskGroup(of: Value?.self) { group in
            group.addTask { await work() }
            group.addTask {
                try? await Task.sleep(for: patience)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    private func status() async -> String {
        _ = await refresh()
        let status = Status(await client.shop(), isOffline: isOffline)
        return (try? status.line()) ?? "{}"
    }

    private func buy(_ product: String, again: Bool) async -> String {
        if let refusal = await refresh() { return "\(product): \(refusal)" }
        guard let item = await client.shop().items.first(where: { $0.id == product }) else {
            return "\(product): not on sale"
        }
        if again, !item.canBeExtended { return "\(product): there is no time to extend" }
        return "\(product): \(await client.buy(product, again: again).text)"
    }

    private mutating func install(_ bundle: String) async -> String {
        if let refusal = await refresh() { return "\(bundle): \(refusal)" }
        guard await client.shop().bundle(bundle) != nil else { return "\(bundle): \(Reason.text(.unknownBundle))" }
        saved.downloads[bundle] = false
        save()
        let refusal = await client.install(bundle)
        if refusal != .offline { saved.downloads[bundle] = nil }
        save()
        if let refusal { return "\(bundle): \(Reason.text(refusal))" }
        return "\(bundle): \(await client.shop().bundle(bundle)?.installed ?? "") installed"
    }

    private mutating func play() async -> String {
        let words = await client.library.words(saved.pack)
        guard let entry = words.entries.randomElement() else { return "there are no words" }
        let game = Game(entry, pack: words.name)
        saved.game = game
        save()
        return PlainText.dealt(game)
    }

    private static let noGame = "there is no game: play begins one"

    private mutating func guess(_ letter: Character) -> String {
        guard var game = saved.game else { return Self.noGame }
        let answer = game.guess(letter)
        if answer == .right || answer == .wrong { count(game) }
        saved.game = game
        save()
        return PlainText.guessed(letter, answer, game)
    }

    private mutating func count(_ game: Game) {
        if game.outcome == .won { saved.won &+= 1 }
        if game.outcome == .lost { saved.lost &+= 1 }
    }

    private mutating func hint() async -> String {
        guard var game = saved.game, game.outcome == .playing else { return Self.noGame }
        let key = saved.hintKey ?? UUID()
        saved.hintKey = key
        save()
        do {
            try await client.payHint(key)
        } catch {
            if !(error is SpendPending) { saved.hintKey = nil }
            save()
            return Reason.text(error)
        }
        game.hint()
        count(game)
        (saved.game, saved.hintKey) = (game, nil)
        save()
        return PlainText.hinted(game, left: await client.shop().hints)
    }

    private mutating func choose(
        _ member: WritableKeyPath<Saved, String?>, _ bundle: String?, _ what: String
    ) async -> String {
        let shelf = await client.library.shelf(client.shop().bundles)
        if let bundle, shelf[bundle] == nil { return "\(bundle) is not installed, or locked" }
        saved[keyPath: member] = bundle
        save()
        return "\(what): \(bundle.flatMap { shelf[$0]?.title } ?? "built in")"
    }

    private mutating func restore(_ code: String) async -> String {
        if let refusal = await client.signIn(code) { return refusal }
        saved.hintKey = nil
        save()
        let shop = await client.shop()
        return "the account \(shop.account ?? "") is open, with all that it owns"
    }

    private mutating func setOffline(_ isOffline: Bool) async -> String {
        self.isOffline = isOffline
        await client.setOffline(isOffline)
        return isOffline ? "offline: what is installed can be played" : await refresh() ?? "online"
    }

    private func save() {
        try? home.save(saved)
    }
}

extension PlainCommand {
    fileprivate var needsNetwork: Bool {
        switch self {
        case .buy, .extend, .install, .hint, .refresh, .restore, .restorePurchases: true
        default: false
        }
    }
}
