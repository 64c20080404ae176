package struct Link: Sendable {
    package var text: String
    /// A path of this server.
    package var href: String
    /// The whole text, where lists show the beginning only.
    let title: String?

    package init(_ text: String, _ href: String) {
        self.text = text
        self.href = href
        title = text.isLongID ? text : nil
    }
}
