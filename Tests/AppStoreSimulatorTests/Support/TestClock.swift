import Foundation
import Synchronization

/// Stands still until it is moved.
final class TestClock: Sendable {
    static let start = Date(timeIntervalSince1970: 1_795_210_620)

    private let instant: Mutex<Date>

    init(_ date: Date = start) { instant = Mutex(date) }

    var now: Date { instant.withLock { $0 } }

    func advance(by seconds: TimeInterval) { instant.withLock { $0 += seconds } }
}
