/// The administrator who is signed in, as the head of every page shows them.
package struct Viewer: Sendable {
    package var name: String
    package var role: String
    package var navigation: [NavigationItem]
    /// The session's token against forged requests, which every form that changes something sends.
    package var csrf: String

    package init(name: String, role: String, navigation: [NavigationItem], csrf: String) {
        self.name = name
        self.role = role
        self.navigation = navigation
        self.csrf = csrf
    }
}

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
