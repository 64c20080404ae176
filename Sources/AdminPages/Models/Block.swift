package import ServerCore

/// A section of a page: a heading, and what it consists of, in the order of the properties.
package struct Block: Sendable {
    /// The name by which links point to the section.
    package var id: String?
    package var heading: String?
    package var text: String?
    package var cards: Items<Card>?
    package var panels: Items<Panel>?
    /// The cards of what is in order, folded.
    package var settled: Settled?
    package var facts: Items<Fact>?
    /// The words to open the table, the text or the difference with; `nil` if it is shown at once.
    package var fold: String?
    package var table: Table?
    /// Text of several lines, shown as it is written.
    package var listing: String?
    package var difference: Items<DifferenceLine>?
    package var picture: Media?
    package var sound: Media?
    package var charts: Items<Chart>?
    package var timeline: Items<TimelineEntry>?
    package var form: Form?
    package var links: Items<Link>?

    package init(
        _ heading: String? = nil, id: String? = nil, text: String? = nil, cards: [Card]? = nil, panels: [Panel]? = nil,
        settled: Settled? = nil, facts: [Fact]? = nil, fold: String? = nil, table: Table? = nil,
        listing: String? = nil, difference: [DifferenceLine]? = nil, picture: Media? = nil, sound: Media? = nil,
        charts: [Chart]? = nil, timeline: [TimelineEntry]? = nil, form: Form? = nil, links: [Link] = []
    ) {
        self.id = id
        self.heading = heading
        self.text = text
        self.cards = cards.map(Items.init)
        self.panels = panels.map(Items.init)
        self.settled = settled
        self.facts = facts.map(Items.init)
        self.fold = fold
        self.table = table
        self.listing = listing
        self.difference = difference.map(Items.init)
        self.picture = picture
        self.sound = sound
        self.charts = charts.map(Items.init)
        self.timeline = timeline.map(Items.init)
        self.form = form
        self.links = links.isEmpty ? nil : Items(links)
    }
}

extension Block {
    /// Whether it has nothing but facts and links, and so can stand beside what else a page has.
    var isOfFacts: Bool {
        facts != nil && heading == nil && text == nil && cards == nil && panels == nil && settled == nil
            && table == nil && fold == nil && listing == nil && difference == nil && picture == nil && sound == nil
            && charts == nil && timeline == nil && form == nil
    }

    /// Whether it has the width of a list, beside which facts can stand.
    var isList: Bool { table != nil || timeline != nil || listing != nil && fold == nil }
}

/// A list that a template shows inside an element of its own.
package struct Items<Element: Sendable>: Sendable {
    package var items: [Element]

    package init(_ items: [Element]) { self.items = items }
}

/// A picture or a sound.
package struct Media: Sendable {
    /// A path of this server.
    package var path: String
    /// The words for those who do not see or hear it.
    package var text: String

    package init(_ path: String, text: String) {
        self.path = path
        self.text = text
    }
}

/// The cards of things that are in order, behind their number.
package struct Settled: Sendable {
    package var summary: String
    package var items: [Card]

    package init(_ summary: String, _ items: [Card]) {
        self.summary = summary
        self.items = items
    }
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
