/// One or a few words that state a status.
package struct Badge: Sendable {
    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone) {
        self.text = text
        self.tone = tone
    }
}
