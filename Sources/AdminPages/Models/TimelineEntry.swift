import ServerCore

/// Something that happened, as a line of a timeline.
package struct TimelineEntry: Sendable {
    package var time: Moment
    package var title: String
    package var tone: Tone
    /// The event in sentences.
    package var text: String?
    /// The event as it is recorded, which is unfolded.
    package var details: String?
    /// The administrator who did it; `nil` for the player, the store and the server.
    package var actor: String?
    package var link: Link?

    package init(
        _ time: Moment, _ title: String, _ tone: Tone = .plain, text: String? = nil, details: String? = nil,
        actor: String? = nil, link: Link? = nil
    ) {
        self.time = time
        self.title = title
        self.tone = tone
        self.text = text
        self.details = details
        self.actor = actor
        self.link = link
    }
}

/// A time as people read it, and as programs do.
package struct Moment: Sendable {
    package var text: String
    /// The time for programs (RFC 3339).
    package var datetime: String
    /// How long ago it was, or how far ahead it is.
    package var distance: String?

    package init(_ text: String, datetime: String, distance: String? = nil) {
        self.text = text
        self.datetime = datetime
        self.distance = distance
    }
}

/// The colour of a text that states a status. The text says the same: nobody has to see colours.
package enum Tone: String, CaseIterable, Sendable {
    case good
    case bad
    case waiting
    case plain
}
