import Foundation
import HangmanGame
import QuartermasterClient

extension Shop {
    /// Takes what the screens show of the client's state.
    init(_ state: ShopState) {
        self.init()
        items = state.products.map(ShopItem.init)
        bundles = state.bundles.map(ShopBundle.init)
        hints = state.balances[GameClient.currency] ?? 0
        account = state.account.id?.uuidString.lowercased()
        isOnline = state.isOnline
        notice = state.notice
        waiting = state.waitingTransactions
        needsUpdate = state.needsAppUpdate
        hasOtherOwner = state.ownedByAnotherAccount != nil
    }
}

extension ShopItem {
    fileprivate init(_ product: ShopProduct) {
        let isNamed = product.displayName != product.id
        let name = isNamed ? product.displayName : StoreEntry.named(product.id).name
        self.init(
            id: product.id, name: Columns.printable(name), description: Columns.printable(product.description),
            price: product.displayPrice.map(Columns.printable), bundles: product.bundles,
            size: product.contents.isEmpty ? nil : product.contents.reduce(0) { $0 &+ $1.size },
            state: State(product.state), canBeExtended: product.type == .nonRenewing)
    }
}

extension ShopItem.State {
    fileprivate init(_ state: ProductState) {
        self =
            switch state {
            case .available: .available
            case .unavailable: .unavailable
            case .buying: .buying
            case .pending: .pending
            case .waiting: .waiting
            case .owned(let until): .owned(until: until.map { $0.formatted(.iso8601.year().month().day()) })
            }
    }
}

extension ShopBundle {
    fileprivate init(_ bundle: BundleStatus) {
        self.init(
            name: bundle.name, version: bundle.version, size: bundle.size, installed: bundle.installed,
            update: bundle.update, isReadable: bundle.isReadable, isEssential: bundle.isEssential,
            transfer: bundle.progress.flatMap(Transfer.init))
    }
}

extension Transfer {
    /// `nil` once it is installed, and if the player cancelled it.
    fileprivate init?(_ progress: DownloadProgress) {
        let phase: Phase
        switch progress.phase {
        case .checking: phase = .checking
        case .downloading: phase = .downloading
        case .paused: phase = .paused
        case .installing: phase = .installing
        case .failed(.cancelled), .installed: return nil
        case .failed(let error): phase = .failed(Reason.text(error))
        }
        self.init(phase, received: progress.received, total: progress.total)
    }
}
