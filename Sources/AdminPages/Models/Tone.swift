/// The colour of a text that tells how things stand. The text says the same: nobody has to see colours.
package enum Tone: String, CaseIterable, Sendable {
    case good
    case bad
    case waiting
    case plain
}
