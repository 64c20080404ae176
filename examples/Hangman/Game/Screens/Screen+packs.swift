extension Screen {
    /// The built-in words and every bundle that may be used or is installed, with the chosen ones marked.
    func packs(rows: Int) -> [StyledLine] {
        let legend = paragraph("● is what you play with: words, and colours if a theme is chosen.", .muted)
        let list = list(model.packs.map(row), height: max(1, rows - 2 - legend.count))
        return [StyledLine()] + list + [StyledLine()] + legend
    }

    private func row(_ pack: ShopBundle?) -> (String, String, String) {
        guard let pack else {
            let count = "\(WordPack.builtIn.entries.count) words"
            return (mark(model.saved.pack == nil) + WordPack.builtIn.name, count, "built in")
        }
        let isChosen = model.saved.pack == pack.name || model.saved.theme == pack.name
        return (mark(isChosen) + (model.shelf[pack.name]?.title ?? pack.title), kind(of: pack), state(of: pack))
    }

    private func mark(_ isChosen: Bool) -> String { isChosen ? "● " : "  " }

    private func kind(of pack: ShopBundle) -> String {
        switch model.shelf[pack.name]?.kind {
        case .words(let count): "\(count) words"
        case .theme: "theme"
        case nil: ""
        }
    }

    private func state(of pack: ShopBundle) -> String {
        if let transfer = pack.transfer { return transfer.text }
        guard pack.isReadable else { return "locked" }
        if let update = pack.update { return "update \(update)\(size(of: pack))" }
        return pack.installed.map { "installed \($0)" } ?? "not installed\(size(of: pack))"
    }

    private func size(of pack: ShopBundle) -> String {
        pack.size.map { ", \(ByteCount.text($0))" } ?? ""
    }

    var packVerb: String {
        guard let pack = model.selectedPack, pack.isReadable, pack.installed == nil else { return "use" }
        return "install"
    }
}
