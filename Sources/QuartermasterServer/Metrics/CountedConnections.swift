import CoreMetrics
import HummingbirdCore

/// Counts the open connections, and delegates their maximum to `limit`.
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
