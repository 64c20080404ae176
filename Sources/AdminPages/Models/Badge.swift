/// A word or a few that tell how things stand.
package struct Badge: Sendable {
    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone) {
        self.text = text
        self.tone = tone
    }
}
