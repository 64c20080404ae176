import ServerCore

/// Something that has a state: what it is, the state in a sentence, what can be done, and the particulars folded.
package struct Panel: Sendable {
    /// A table that is shown when its summary is clicked.
    package struct Folded: Sendable {
        package var summary: String
        package var table: Table

        package init(_ summary: String, _ table: Table) {
            self.summary = summary
            self.table = table
        }
    }

    package var title: Cell
    package var badge: Badge
    package var text: String
    package var notes: [String]
    package var links: Items<Link>?
    package var folded: Folded?

    package init(
        _ title: Cell, _ badge: Badge, _ text: String, notes: [String] = [], links: [Link] = [], folded: Folded? = nil
    ) {
        self.title = title
        self.badge = badge
        self.text = text
        self.notes = notes
        self.links = links.isEmpty ? nil : Items(links)
        self.folded = folded
    }
}
