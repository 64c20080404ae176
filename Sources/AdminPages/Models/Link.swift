package struct Link: Sendable {
    package var text: String
    /// A path of this server.
    package var href: String

    package init(_ text: String, _ href: String) {
        self.text = text
        self.href = href
    }
}
