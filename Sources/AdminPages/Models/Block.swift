package import ServerCore

/// A section of a page: a heading, and what it consists of, in the order of the properties.
package struct Block: Sendable {
    /// The name by which links point to the section.
    package var id: String?
    package var heading: String?
    package var text: String?
    package var cards: Items<Card>?
    package var facts: Items<Fact>?
    package var table: Table?
    /// Text of several lines, shown as it is written.
    package var listing: String?
    package var difference: Items<DifferenceLine>?
    package var chart: Chart?
    package var timeline: Items<TimelineEntry>?
    package var form: Form?
    package var links: Items<Link>?

    package init(
        _ heading: String? = nil, id: String? = nil, text: String? = nil, cards: [Card]? = nil, facts: [Fact]? = nil,
        table: Table? = nil, listing: String? = nil, difference: [DifferenceLine]? = nil,
        chart: Chart? = nil, timeline: [TimelineEntry]? = nil, form: Form? = nil, links: [Link] = []
    ) {
        self.id = id
        self.heading = heading
        self.text = text
        self.cards = cards.map(Items.init)
        self.facts = facts.map(Items.init)
        self.table = table
        self.listing = listing
        self.difference = difference.map(Items.init)
        self.chart = chart
        self.timeline = timeline.map(Items.init)
        self.form = form
        self.links = links.isEmpty ? nil : Items(links)
    }
}

/// A list that a template shows inside an element of its own.
package struct Items<Element: Sendable>: Sendable {
    package var items: [Element]

    package init(_ items: [Element]) { self.items = items }
}

/// A number that an operator looks at first, with its tone, what to do about it, and a link to what it counts.
package struct Card: Sendable {
    package var title: String
    package var value: String
    package var note: String?
    package var remedy: String?
    package var tone: Tone
    package var link: Link?

    package init(
        _ title: String, _ value: String, note: String? = nil, remedy: String? = nil, tone: Tone = .plain,
        link: Link? = nil
    ) {
        self.title = title
        self.value = value
        self.note = note
        self.remedy = remedy
        self.tone = tone
        self.link = link
    }
}
