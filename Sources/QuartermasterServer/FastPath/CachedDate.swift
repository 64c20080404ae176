import Basics
import Foundation
import NIOCore
import Synchronization

/// The line of the `Date` header field, formatted again when the second changes.
final class CachedDate: Sendable {
    /// The maximum bytes of a line, which are more than one with a year of four digits has.
    static let maximumLineBytes = 48

    private let cached = Mutex((second: Int.min, text: "", line: ByteBuffer()))

    func line(at date: Date) -> ByteBuffer { with(date) { $0.line } }

    /// The value of the field.
    func text(at date: Date) -> String { with(date) { $0.text } }

    private func with<Result>(
        _ date: Date, _ read: (borrowing (second: Int, text: String, line: ByteBuffer)) -> Result
    ) -> Result {
        let second = Int(clamping: date.timeIntervalSince1970.rounded(.down))
        return cached.withLock { cached in
            if cached.second != second {
                let text = HTTPDate.text(of: date)
                cached = (second, text, ByteBuffer(string: "Date: \(text)\r\n"))
            }
            return read(cached)
        }
    }
}
