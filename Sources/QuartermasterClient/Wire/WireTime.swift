import Foundation

/// A time as the API writes it: RFC 3339 in UTC, with or without milliseconds.
struct WireTime: Sendable, Equatable {
    let date: Date

    /// `nil` if the string is not a time.
    init?(_ text: String) {
        guard text.utf8.count <= 40 else { return nil }
        let style = Date.ISO8601FormatStyle()
        guard
            let date = (try? style.parse(text))
                ?? (try? style.year().month().day()
                    .time(includingFractionalSeconds: true).timeZone(separator: .omitted).parse(text))
        else { return nil }
        self.date = date
    }
}
