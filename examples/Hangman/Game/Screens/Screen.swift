/// Draws the model as lines of styled text: as many as the terminal has rows, each as wide as it is.
package struct Screen: Sendable {
    let model: Model
    let size: Size

    package init(_ model: Model) {
        self.model = model
        size = model.size
    }

    package var lines: [StyledLine] {
        guard size.columns >= Size.minimum.columns, size.rows >= Size.minimum.rows else { return tooSmall }
        let bodyRows = size.rows - 5
        let body = Array(self.body(rows: bodyRows).prefix(bodyRows))
        let blank = Array(repeating: StyledLine(), count: bodyRows - body.count)
        let rule = StyledLine(String(repeating: "─", count: size.columns), .muted)
        let lines = [header, rule] + body + blank + [rule, notice, help]
        return lines.map { $0.fitted(to: size.columns) }
    }

    private var tooSmall: [StyledLine] {
        let least = Size.minimum
        let message = StyledLine("This window is smaller than \(least.columns)×\(least.rows).").fitted(to: size.columns)
        let blank = Array(repeating: StyledLine().fitted(to: size.columns), count: size.rows)
        return Array(([message] + blank).prefix(size.rows))
    }

    private func body(rows: Int) -> [StyledLine] {
        switch model.tab {
        case .play: play
        case .store: store(rows: rows)
        case .packs: packs(rows: rows)
        case .account: account
        }
    }

    /// The names of the screens, that of the shown one in brackets, and what there is left.
    private var header: StyledLine {
        let tabs = Tab.allCases.map { tab in
            let title = "\(tab.rawValue + 1) \(tab.title)"
            let style = tab == model.tab ? Style(.text, on: .surface, isBold: true) : Style(.textMuted, on: .surface)
            return StyledLine(tab == model.tab ? "[\(title)]" : " \(title) ", style)
        }
        let title = size.columns >= Size.standard.columns ? " HANGMAN  " : ""
        let left = tabs.reduce(StyledLine(title, Style(.text, on: .surface, isBold: true)), +)
        return .apart(left, StyledLine(supply + " ", .bar), in: size.columns, filler: .bar)
    }

    private var supply: String {
        let hints = model.shop.hints == 1 ? "1 hint" : "\(model.shop.hints) hints"
        return "\(hints) · \(model.shop.isOnline && !model.isOffline ? "online" : "offline")"
    }

    private var notice: StyledLine {
        if let entry = model.entry { return StyledLine(" Recovery code: \(entry)▏", .strong) }
        return StyledLine(" " + Columns.printable(model.notice), .strong)
    }

    /// The keys that do something now.
    private var help: StyledLine {
        let keys = model.entry == nil ? keys : ["Enter open the account", "Esc forget it"]
        return StyledLine(" " + keys.joined(separator: "  "), .muted)
    }

    private var keys: [String] {
        switch model.tab {
        case .play:
            let over = model.game?.outcome != .playing
            return (over ? ["Enter new word"] : ["a–z guess", "? hint"]) + ["Tab next screen", "Ctrl-C quit"]
        case .store:
            let enter = storeVerb.map { ["Enter \($0)"] } ?? []
            return ["↑↓ choose"] + enter + transferKeys(storeTransfer) + ["r refresh", "q quit"]
        case .packs:
            let update = model.selectedPack?.update == nil ? [] : ["u update"]
            return ["↑↓ choose", "Enter \(packVerb)"] + update + transferKeys(model.selectedPack?.transfer)
                + ["r refresh", "q quit"]
        case .account:
            let offline = model.isOffline ? "o go online" : "o offline"
            let code = model.code == nil ? "c show code" : "c hide code"
            return [code, "e enter code", "p restore", offline, "q quit"]
        }
    }

    private func transferKeys(_ transfer: Transfer?) -> [String] {
        guard let transfer else { return [] }
        return [transfer.phase == .paused ? "p resume" : "p pause", "x cancel"]
    }

    /// A list with a mark at the selected row, scrolled so that this is to be seen.
    func list(_ rows: [(left: String, middle: String, right: String)], height: Int) -> [StyledLine] {
        let selected = model.row(of: rows.count)
        let first = max(0, selected - max(0, height - 1))
        return rows.enumerated().dropFirst(first).prefix(height).map { index, row in
            let mark = index == selected ? " ▸ " : "   "
            let style = index == selected ? Style.selected : .text
            let middle = StyledLine(row.middle).fitted(to: middleWidth).text
            let right = StyledLine(middle + row.right + " ", style)
            let room = size.columns - middleWidth - rightWidth
            let left = StyledLine(mark + Columns.printable(row.left) + " ", style).fitted(to: room, filler: style)
            return (left + right).fitted(to: size.columns, filler: style)
        }
    }

    private var middleWidth: Int { size.columns >= Size.standard.columns ? 20 : 12 }
    private var rightWidth: Int { 24 }

    func paragraph(_ text: String, _ style: Style = .text) -> [StyledLine] {
        Columns.wrap(Columns.printable(text), size.columns - 6).map { StyledLine("   " + $0, style) }
    }
}
