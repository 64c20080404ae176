import Foundation
import Synchronization

/// The questions to the store that each may be asked once an hour. A restart forgets them.
package final class HourlyQuestions: Sendable {
    /// In seconds.
    static let interval: TimeInterval = 3_600
    /// The maximum number of stored questions. Beyond it no other is asked.
    static let maximumStored = 10_000

    private let asked = Mutex<[String: Date]>([:])

    /// Whether a question may be asked now; it then counts as asked.
    func begin(_ id: String, at now: Date) -> Bool {
        asked.withLock { asked in
            // Also if the clock was set back meanwhile.
            func isRecent(_ date: Date) -> Bool { abs(now.timeIntervalSince(date)) < Self.interval }
            if let last = asked[id], isRecent(last) { return false }
            if asked.count >= Self.maximumStored { asked = asked.filter { isRecent($0.value) } }
            guard asked.count < Self.maximumStored else { return false }
            asked[id] = now
            return true
        }
    }
}
