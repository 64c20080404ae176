/// A wrong setting: which one, and its place.
struct SettingError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
