/// The administrator who is signed in, as the head of every page shows them.
package struct Viewer: Sendable {
    package var name: String
    package var role: String
    /// The pages that are in no group.
    package var links: [NavigationItem]
    package var groups: [NavigationGroup]
    /// The time zone in which the pages show times.
    package var zone: String
    /// The session's token against forged requests, which every form that changes something sends.
    package var csrf: String

    package init(
        name: String, role: String, links: [NavigationItem], groups: [NavigationGroup], zone: String, csrf: String
    ) {
        self.name = name
        self.role = role
        self.links = links
        self.groups = groups
        self.zone = zone
        self.csrf = csrf
    }
}

/// Pages that one opens by their common name.
package struct NavigationGroup: Sendable {
    package var name: String
    package var isCurrent: Bool
    package var items: [NavigationItem]

    package init(_ name: String, _ items: [NavigationItem]) {
        self.name = name
        self.items = items
        isCurrent = items.contains(where: \.isCurrent)
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
