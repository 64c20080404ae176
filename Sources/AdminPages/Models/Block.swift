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
