import Foundation
import HangmanGame
import QuartermasterClient

/// Does what the model commands, in tasks of their own, and sends what comes of it.
struct Performer: Sendable {
    let client: GameClient
    let home: Home
    let send: @Sendable (Message) -> Void

    /// Goes on with what an earlier start has begun.
    func begin(_ model: Model) {
        Task { _ = await client.refresh() }
        for (bundle, isPaused) in model.saved.downloads where !isPaused { install(bundle) }
        if let key = model.saved.hintKey { payHint(key) }
    }

    /// Sends each state of the shop, until the task is cancelled.
    func watch() async {
        var bundles: [ShopBundle] = []
        for await state in client.states() {
            let shop = Shop(state)
            send(.shop(shop))
            if shop.bundles.map(\.withoutTransfer) != bundles {
                bundles = shop.bundles.map(\.withoutTransfer)
                send(.shelf(await client.library.shelf(bundles)))
            }
            for spend in state.spends where spend.isSettled {
                send(.hintPaid(spend.key))
                await client.quartermaster.acknowledgeSpend(spend.key)
            }
        }
    }

    func perform(_ command: Command, _ model: inout Model) {
        switch command {
        case .save: save(model.saved)
        case .spendHint:
            let key = model.saved.hintKey ?? UUID()
            _ = model.update(.hintBegan(key))
            save(model.saved)
            payHint(key)
        case .setOffline(let isOffline): setOffline(isOffline, model.saved)
        case .install(let bundle): install(bundle)
        case .pause(let bundle): Task { await client.pause(bundle) }
        case .resume(let bundle): Task { await client.resume(bundle) }
        case .cancel(let bundle): Task { await client.cancel(bundle) }
        case .deal(let pack): deal(pack)
        case .buy(let product): Task { send(.bought(product, await client.buy(product))) }
        case .extend(let product): Task { send(.bought(product, await client.buy(product, again: true))) }
        case .refresh: Task { send(.refreshed(refusal: await client.refresh())) }
        case .restore: Task { send(.said(await client.restore())) }
        case .readCode: Task { send(.code(await client.recoveryCode())) }
        case .signIn(let code): signIn(code)
        case .suspend, .quit: break
        }
    }

    private func save(_ saved: Saved) {
        do {
            try home.save(saved)
        } catch {
            send(.said("the score cannot be saved"))
        }
    }

    private func deal(_ pack: String?) {
        Task {
            let words = await client.library.words(pack)
            guard let entry = words.entries.randomElement() else { return }
            send(.dealt(entry, pack: words.name))
        }
    }

    private func payHint(_ key: UUID) {
        Task {
            do {
                try await client.payHint(key)
                send(.hintPaid(key))
            } catch {
                send(.hintRefused(Reason.text(error), isOver: !(error is SpendPending)))
            }
        }
    }

    private func install(_ bundle: String) {
        Task {
            let error = await client.install(bundle)
            send(.downloaded(bundle, refusal: error.map(Reason.text), isOver: error != .offline))
        }
    }

    private func signIn(_ code: String) {
        Task {
            if let refusal = await client.signIn(code) { return send(.said(refusal)) }
            send(.said("the account is open, with all that it owns"))
        }
    }

    private func setOffline(_ isOffline: Bool, _ saved: Saved) {
        Task {
            await client.setOffline(isOffline)
            guard !isOffline else { return send(.said("you are offline: what is installed can be played")) }
            send(.said(await client.refresh() ?? "you are online"))
            for (bundle, isPaused) in saved.downloads where !isPaused { install(bundle) }
        }
    }
}

extension ShopBundle {
    fileprivate var withoutTransfer: Self {
        var copy = self
        copy.transfer = nil
        return copy
    }
}
