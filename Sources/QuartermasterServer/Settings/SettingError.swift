/// A setting is wrong; says which and where it stands.
struct SettingError: Error, CustomStringConvertible {
    var description: String

    init(_ description: String) { self.description = description }
}
