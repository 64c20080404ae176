@testable import ServerCore
import Testing

@testable import AdminPages
@testable import CommandLine

/// A page shows any text as text, wherever a template puts it.
@Suite struct PageRendererTests {
    static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)' autofocus='",
        // A combining mark makes another character of a quotation mark, but not another scalar.
        "\"\u{301} onmouseover=alert(1) x=\"", "<\u{308}script>", "&lt;b&gt;", "</textarea><script>alert(1)</script>",
        "</title><b>", "{{.title}} {{{.title}}}", "javascript:alert(1)", "<!--", "]]>", "\u{202E}moc.elgooG",
    ]

    /// A page with the text in every place that has one.
    static func page(of text: String) -> Page {
        var cell = Cell(text, note: text)
        cell.badge = Badge(text, .bad)
        cell.time = Moment(text, datetime: text, distance: text)
        cell.code = CodeText(text)
        cell.link = Link(text, text)
        cell.beneath = text
        cell.actions = [Link(text, text)]
        let entry = TimelineEntry(
            Moment(text, datetime: text, distance: text), text, .good, text: text, details: text, actor: text,
            link: Link(text, text))
        let fields: [Field] = [
            .input(text, name: text, type: text, value: text, hint: text, autocomplete: text),
            .area(text, name: text, value: text, hint: text),
            .files(text, name: text, hint: text, isFolder: true),
            .choice(text, name: text, [(text, text)], selected: text, hint: text),
            .group(text, hint: text, isOpen: false, [.input(text, name: "x", step: text).marked(["x": text])]),
        ]
        var block = Block(
            text, id: text, text: text,
            cards: [Card(text, text, note: text, remedy: text, tone: .waiting, link: Link(text, text))],
            panels: [
                Panel(
                    cell, Badge(text, .bad), text, notes: [text], links: [Link(text, text)],
                    folded: Panel.Folded(text, Table(text, columns: [text], rows: [[cell]])))
            ],
            settled: Settled(text, [Card(text, text)]),
            facts: [Fact(text, cell)], table: Table(text, columns: [text], rows: [[cell]], empty: text),
            listing: text, difference: [.added(text), .removed(text), .same(text)],
            picture: Media(text, text: text), sound: Media(text, text: text),
            charts: [Chart(text, id: text, description: text, unit: text, [(text, 1)])], timeline: [entry],
            form: .act(text, csrf: text, hidden: [(text, text)], fields, button: text), links: [Link(text, text)])
        block.fold = text
        return Page(
            text, styleSheet: text,
            viewer: Viewer(
                name: text, role: text, links: [NavigationItem(text, text, isCurrent: true)],
                groups: [NavigationGroup(text, [NavigationItem(text, text, isCurrent: true)])], zone: text, csrf: text),
            notice: Notice(text, .good),
            blocks: [block, Block(table: Table(text, columns: [text], rows: [], empty: text))], side: [Block(text)])
    }

    @Test(arguments: hostile) func `Text with markup in it adds no markup to a page`(text: String) throws {
        let renderer = try PageRenderer()
        let (hostile, plain) = (renderer.html(Self.page(of: text)), renderer.html(Self.page(of: "plain")))
        // As many characters of markup as on a page with harmless text.
        for mark in ["<", ">", "\"", "'"] {
            #expect(
                hostile.unicodeScalars.count { String($0) == mark }
                    == plain.unicodeScalars.count { String($0) == mark }, "\(mark)")
        }
        #expect(!hostile.contains("\u{202E}"))
    }

    /// Each text of a page is on it, so no name in the templates is misspelt and none is forgotten.
    @Test func `Every text of a page is shown`() throws {
        let html = try PageRenderer().html(Self.page(of: "needle"))
        let places = html.ranges(of: "needle").count
        // The title stands twice; the names and IDs of fields are in several attributes.
        #expect(places == 166, "\(places)")
    }

    @Test func `The templates escape every value and look up no name outside their own scope`() {
        for (name, text) in Templates.all {
            #expect(!text.contains("{{{") && !text.contains("{{&"), "\(name)")
            let names = text.matches(of: /\{\{[#^\/]?([^}>]*)\}\}/).map { String($0.output.1) }
            #expect(!names.isEmpty && names.allSatisfy { $0.hasPrefix(".") }, "\(name): \(names)")
        }
    }

    @Test func `A page without optional parts has no elements for them`() throws {
        let html = try PageRenderer().html(Page("Title", styleSheet: "/style.css", blocks: [Block("Heading")]))
        #expect(html.contains("<h1>Title</h1>") && html.contains("<h2>Heading</h2>"))
        for element in [
            "<header", "<p class=\"notice", "<form", "<table", "<dl", "<pre", "<svg", "<ol", "<ul", "<section id",
            "class=\"side\"",
        ] { #expect(!html.contains(element), "\(element)") }
    }

    @Test func `The grid lines of a chart are at whole numbers`() {
        for (number, ceiling) in [
            (0, 1), (1, 1), (2, 2), (3, 4), (5, 6), (11, 12), (41, 50), (101, 120), (405, 500), (Int.max, Int.max),
        ] {
            #expect(Chart.ceiling(number) == ceiling)
        }
        let chart = Chart(
            "t", id: "t", description: "d", unit: "u", [("2026-11-01", 0), ("2026-11-02", 4), ("2026-11-03", 1)])
        #expect(chart.bars.map(\.height) == [0, 100, 25] && chart.bars.map(\.y) == [110, 10, 85])
        #expect(chart.lines.map(\.text) == ["0", "2", "4"] && chart.lines.map(\.y) == [110, 60, 10])
        #expect(
            chart.table.rows.map { $0.cells.map(\.text) } == [
                ["2026-11-01", "0"], ["2026-11-02", "4"], ["2026-11-03", "1"],
            ])
    }
}
