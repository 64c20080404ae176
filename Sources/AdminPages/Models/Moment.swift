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
