/// A number that an operator looks at first, with its tone and a link to what it counts.
package struct Card: Sendable {
    package var title: String
    package var value: String
    package var note: String?
    package var tone: Tone
    package var href: String?

    package init(_ title: String, _ value: String, note: String? = nil, tone: Tone = .plain, href: String? = nil) {
        self.title = title
        self.value = value
        self.note = note
        self.tone = tone
        self.href = href
    }
}
