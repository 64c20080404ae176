/// Writes lines as the bytes that draw them in a terminal.
package struct Frame: Sendable {
    /// The theme whose colours are used, or `nil` for the terminal's own.
    package var theme: Theme?
    /// `false` where the player wants no colours (`NO_COLOR`).
    package var hasColors: Bool

    package init(theme: Theme?, hasColors: Bool) {
        self.theme = theme
        self.hasColors = hasColors
    }

    /// The bytes that draw the lines that differ from those that are on the screen, in one synchronised update.
    ///
    /// - Parameter old: what is on the screen; empty if nothing is known of it.
    package func bytes(drawing lines: [StyledLine], over old: [StyledLine]) -> String {
        let rows = lines.enumerated().filter { row, line in !old.indices.contains(row) || old[row] != line }
        guard !rows.isEmpty else { return "" }
        let drawn = rows.map { row, line in "\u{1B}[\(row + 1);1H" + draw(line) }.joined()
        return "\u{1B}[?2026h" + drawn + "\u{1B}[0m\u{1B}[?2026l"
    }

    private func draw(_ line: StyledLine) -> String {
        line.spans.map { "\u{1B}[" + attributes($0.style).joined(separator: ";") + "m" + $0.text }.joined()
    }

    private func attributes(_ style: Style) -> [String] {
        let bold = style.isBold ? ["1"] : []
        guard hasColors else { return ["0"] + bold + (style.background == .accent ? ["7"] : []) }
        guard let theme else { return ["0"] + bold + plain(style) }
        let colors = [color(38, theme.palette[style.foreground]), color(48, theme.palette[style.background])]
        return ["0"] + bold + colors.compactMap(\.self)
    }

    private func color(_ which: Int, _ color: Theme.Color?) -> String? {
        color.map { "\(which);2;\($0.red);\($0.green);\($0.blue)" }
    }

    /// The sixteen colours that every terminal's own theme has, and that fit its background.
    private func plain(_ style: Style) -> [String] {
        if style.background == .accent { return ["7"] }
        switch style.foreground {
        case .textMuted: return ["2"]
        case .correct: return ["32"]
        case .wrong: return ["31"]
        case .wood, .rope: return ["33"]
        default: return []
        }
    }
}
