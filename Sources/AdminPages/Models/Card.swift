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
