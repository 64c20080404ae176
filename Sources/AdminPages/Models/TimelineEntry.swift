/// Something that happened, as a line of a timeline.
package struct TimelineEntry: Sendable {
    package var time: Moment
    package var title: String
    package var tone: Tone
    package var details: String?
    /// The administrator who did it; `nil` for the player, the store and the server.
    package var actor: String?
    package var link: Link?

    package init(
        _ time: Moment, _ title: String, _ tone: Tone = .plain, details: String? = nil, actor: String? = nil,
        link: Link? = nil
    ) {
        self.time = time
        self.title = title
        self.tone = tone
        self.details = details
        self.actor = actor
        self.link = link
    }
}
