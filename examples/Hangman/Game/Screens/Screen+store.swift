extension Screen {
    /// The products with their prices and what has become of them, and the description of the selected one.
    func store(rows: Int) -> [StyledLine] {
        let items = model.items
        guard let selected = model.selectedItem else {
            return [StyledLine()] + news + paragraph("Nothing is on sale, or the shop could not be asked yet.")
        }
        let about = [StyledLine()] + paragraph(selected.description, .muted)
        let height = max(1, rows - 1 - news.count - about.count)
        let list = list(items.map { ($0.name, size(of: $0), state(of: $0)) }, height: height)
        return [StyledLine()] + news + list + about
    }

    /// The news of the server or the client, above the list.
    private var news: [StyledLine] {
        var texts: [String] = []
        if model.shop.needsUpdate {
            texts.append("This version of the game is too old for the shop. Please update it.")
        }
        if let notice = model.shop.notice { texts.append(notice) }
        if model.shop.hasOtherOwner {
            texts.append("A purchase belongs to another account. Restore it on the account screen.")
        }
        let lines = texts.flatMap { paragraph($0, .strong) }
        return lines.isEmpty ? [] : lines + [StyledLine()]
    }

    private func size(of item: ShopItem) -> String {
        item.size.map { ByteCount.text($0) } ?? ""
    }

    private func state(of item: ShopItem) -> String {
        if let transfer = transfer(of: item) { return transfer.text }
        switch item.state {
        case .available: return item.price ?? ""
        case .unavailable: return "not available"
        case .buying: return "buying…"
        case .pending: return "waits for approval"
        case .waiting: return "waits for the store"
        case .owned(let day?): return "until \(day)"
        case .owned(nil):
            let bundles = model.shop.bundles(of: item)
            return bundles.contains { $0.installed == nil } ? "not installed" : "installed"
        }
    }

    /// The effect of the Enter key; `nil` if it has none.
    var storeVerb: String? {
        guard let item = model.selectedItem, item.isOwned else { return "buy" }
        let outdated = model.shop.outdatedBundles(of: item)
        if outdated.contains(where: { $0.installed == nil }) { return "install" }
        if !outdated.isEmpty { return "update" }
        return item.canBeExtended ? "extend" : nil
    }

    var storeTransfer: Transfer? { model.selectedItem.flatMap(transfer) }

    /// The download of something that was bought with the item; another product may include the same bundle.
    private func transfer(of item: ShopItem) -> Transfer? {
        guard item.isOwned else { return nil }
        return model.shop.bundles(of: item).compactMap(\.transfer).first
    }
}
