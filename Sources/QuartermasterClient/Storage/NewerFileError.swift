/// A later version of the app has written the file, and this version cannot read it: update the app.
public struct NewerFileError: Error, Sendable {
    /// The file's name.
    public var name: String

    public init(name: String) { self.name = name }
}
