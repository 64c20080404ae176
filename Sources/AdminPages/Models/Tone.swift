/// The colour of a text that states a status. The text says the same: nobody has to see colours.
package enum Tone: String, CaseIterable, Sendable {
    case good
    case bad
    case waiting
    case plain
}
