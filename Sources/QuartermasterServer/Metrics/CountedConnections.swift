import CoreMetrics
import HummingbirdCore

/// Counts the connections that are open, and leaves it to a limit how many may be.
struct CountedConnections: AvailableConnectionsDelegate {
    var limit: MaximumAvailableConnections
    let open: Meter

    mutating func connectionOpened() {
        limit.connectionOpened()
        open.increment()
    }

    mutating func connectionClosed() {
        limit.connectionClosed()
        open.decrement()
    }

    func isAcceptingNewConnections() -> Bool { limit.isAcceptingNewConnections() }
}
