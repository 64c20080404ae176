/// A wrong setting: which one, and its place.
package struct SettingError: Error, CustomStringConvertible {
    package var description: String

    package init(_ description: String) { self.description = description }
}
