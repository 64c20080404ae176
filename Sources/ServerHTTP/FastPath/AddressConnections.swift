package import CoreMetrics
package import NIOCore
import Synchronization

/// Counts the open connections of each address, so that one client cannot occupy them all.
package final class AddressConnections: Sendable {
    private let maximum: Int
    package let clients: ClientAddresses
    private let refusals: Counter
    private let open = Mutex<[IPAddress: Int]>([:])

    /// - Parameter clients: knows the trusted proxies, whose connections are not limited.
    package init(maximum: Int, _ clients: ClientAddresses, refusals: Counter) {
        self.maximum = maximum
        self.clients = clients
        self.refusals = refusals
    }

    /// Counts the connection until it closes.
    ///
    /// - Returns: whether its address may have one more.
    package func admit(_ channel: any Channel) -> Bool {
        guard let address = clients.subscriber(of: channel) else { return true }
        guard add(address) else {
            refusals.increment()
            return false
        }
        channel.closeFuture.whenComplete { _ in self.remove(address) }
        return true
    }

    /// Only addresses with an open connection are keys, so that there are never more of them than connections.
    private func add(_ address: IPAddress) -> Bool {
        open.withLock { open in
            let count = open[address, default: 0]
            if count < maximum { open[address] = count + 1 }
            return count < maximum
        }
    }

    private func remove(_ address: IPAddress) {
        open.withLock { open in
            let count = open[address, default: 0] - 1
            open[address] = count > 0 ? count : nil
        }
    }
}
