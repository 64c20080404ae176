/// The part that a piece of text plays, by the names of a theme's palette.
package enum Role: String, Sendable, CaseIterable {
    case background, surface, text, textMuted, accent, onAccent, correct, wrong, wood, rope, figure
}
