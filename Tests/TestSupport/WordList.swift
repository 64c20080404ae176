/// Words as a word pack has them.
package enum WordList {
    private static let onsets = [
        "b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "l", "m", "n", "p", "pl", "qu", "r", "s",
        "sh", "st", "str", "t", "th", "tr", "v", "w", "wh", "y", "z",
    ]
    private static let vowels = ["a", "ai", "e", "ea", "ee", "i", "o", "oa", "oo", "ou", "u", "y"]
    private static let codas = [
        "", "", "ck", "d", "g", "l", "ll", "m", "n", "nd", "ng", "nt", "p", "r", "rn", "s", "t",
    ]

    /// Two to four syllables.
    package static func word(using generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 2...4, using: &generator)).map { _ in
            [onsets, vowels, codas].map { $0.randomElement(using: &generator) ?? "" }.joined()
        }.joined()
    }
}
