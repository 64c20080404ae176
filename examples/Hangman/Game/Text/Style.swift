/// How a piece of text looks.
package struct Style: Sendable, Equatable {
    package let foreground: Role
    package let background: Role
    package let isBold: Bool

    package init(_ foreground: Role, on background: Role = .background, isBold: Bool = false) {
        self.foreground = foreground
        self.background = background
        self.isBold = isBold
    }

    package static let text = Style(.text)
    package static let muted = Style(.textMuted)
    package static let strong = Style(.text, isBold: true)
    /// The row that the keys act on.
    package static let selected = Style(.onAccent, on: .accent, isBold: true)
    /// The bar at the top.
    package static let bar = Style(.text, on: .surface)
}

/// The part that a piece of text plays, by the names of a theme's palette.
package enum Role: String, Sendable, CaseIterable {
    case background, surface, text, textMuted, accent, onAccent, correct, wrong, wood, rope, figure
}
