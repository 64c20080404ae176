/// The picture of each stage, in box-drawing characters.
package enum Gallows {
    /// The columns of every picture.
    package static let width = 15

    /// The picture after so many wrong letters.
    package static func lines(stage: Int) -> [StyledLine] {
        [
            beam("   ┌───────┐"),
            beam("   │       ") + StyledLine("│", Style(.rope)),
            beam("   │       ") + part(stage >= 1, "O"),
            beam("   │      ") + part(stage >= 3, "╱") + part(stage >= 2, "│") + part(stage >= 4, "╲"),
            beam("   │       ") + part(stage >= 2, "│"),
            beam("   │      ") + part(stage >= 5, "╱") + StyledLine(" ") + part(stage >= 6, "╲"),
            beam("   │"),
            beam("   │"),
            beam("═══╧═══════════"),
        ]
    }

    private static func beam(_ text: String) -> StyledLine {
        StyledLine(text, Style(.wood))
    }

    private static func part(_ isThere: Bool, _ text: String) -> StyledLine {
        StyledLine(isThere ? text : " ", Style(.figure, isBold: true))
    }
}
