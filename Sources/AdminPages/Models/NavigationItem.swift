/// A link to one of the pages, in the head of every page.
package struct NavigationItem: Sendable {
    package var text: String
    package var href: String
    package var isCurrent: Bool

    package init(_ text: String, _ href: String, isCurrent: Bool) {
        self.text = text
        self.href = href
        self.isCurrent = isCurrent
    }
}
