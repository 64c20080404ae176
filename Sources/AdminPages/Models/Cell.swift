/// The content of a table's cell or of a fact; those of its properties that are set, in their order.
package struct Cell: Sendable {
    /// The name of its column, which small screens show beside it. A ``Table`` sets it.
    package internal(set) var label = ""
    package var badge: Badge?
    package var time: Moment?
    /// An ID, which can be selected as one word.
    package var code: CodeText?
    package var link: Link?
    package var text: String?
    /// The ID of what the text or the link names.
    package var beneath: String?
    package var note: String?
    package var actions: [Link] = []

    package init() {}

    package init(_ text: String, note: String? = nil) {
        self.text = text
        self.note = note
    }

    package static func code(_ text: String) -> Cell {
        var cell = Cell()
        cell.code = CodeText(text)
        return cell
    }

    package static func link(_ text: String, _ href: String) -> Cell {
        var cell = Cell()
        cell.link = Link(text, href)
        return cell
    }

    package static func time(_ moment: Moment) -> Cell {
        var cell = Cell()
        cell.time = moment
        return cell
    }

    package static func badge(_ text: String, _ tone: Tone, note: String? = nil) -> Cell {
        var cell = Cell()
        cell.badge = Badge(text, tone)
        cell.note = note
        return cell
    }

    package static func actions(_ links: [Link]) -> Cell {
        var cell = Cell()
        cell.actions = links
        return cell
    }

    /// The same cell with a smaller second line.
    package func with(note: String?) -> Cell {
        var cell = self
        cell.note = note
        return cell
    }
}

/// One or a few words that state a status.
package struct Badge: Sendable {
    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone) {
        self.text = text
        self.tone = tone
    }
}
