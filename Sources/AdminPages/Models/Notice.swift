/// A sentence above everything else: what was done, or what is wrong.
package struct Notice: Sendable {
    package var text: String
    package var tone: Tone

    package init(_ text: String, _ tone: Tone) {
        self.text = text
        self.tone = tone
    }
}
