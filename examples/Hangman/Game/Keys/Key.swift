/// A key that was pressed.
package enum Key: Sendable, Equatable {
    case character(Character)
    /// With the control key held down, the letter in lower case.
    case control(Character)
    case up, down, left, right
    case enter, tab, backTab, escape, backspace
    /// A text from the clipboard.
    case paste(String)
}
