/// A line of text in pieces of one style each.
package struct StyledLine: Sendable, Equatable {
    /// A piece of one style.
    package struct Span: Sendable, Equatable {
        package let text: String
        package let style: Style

        package init(_ text: String, _ style: Style) {
            self.text = text
            self.style = style
        }
    }

    package private(set) var spans: [Span]

    package init(_ spans: [Span] = []) {
        self.spans = spans
    }

    package init(_ text: String, _ style: Style = .text) {
        self.init([Span(text, style)])
    }

    /// The text without its styles.
    package var text: String { spans.map(\.text).joined() }

    /// How many columns of a terminal it fills.
    package var width: Int { spans.reduce(0) { $0 &+ Columns.width($1.text) } }

    package static func + (left: Self, right: Self) -> Self {
        Self(left.spans + right.spans)
    }

    /// The line in exactly as many columns: cut off, or filled with spaces.
    package func fitted(to columns: Int, filler: Style = .text) -> Self {
        var left = columns
        var fitted: [Span] = []
        for span in spans where left > 0 {
            let text = Columns.prefix(span.text, left)
            left -= Columns.width(text)
            fitted.append(Span(text, span.style))
        }
        if left > 0 { fitted.append(Span(String(repeating: " ", count: left), filler)) }
        return Self(fitted)
    }

    /// Both, with spaces between that fill as many columns. If there is not enough room, the left one is cut off.
    package static func apart(_ left: Self, _ right: Self, in columns: Int, filler: Style = .text) -> Self {
        let room = max(0, columns - right.width)
        return (left.fitted(to: room, filler: filler) + right).fitted(to: columns, filler: filler)
    }
}
