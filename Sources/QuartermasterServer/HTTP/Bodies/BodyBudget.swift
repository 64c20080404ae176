import CoreMetrics
import Synchronization

/// The bytes of request bodies in memory: in total over all connections and HTTP/2 streams, and by address.
///
/// The capacity of the buffers is counted, not the bytes received, since that is what a body costs. The last part of
/// each budget is reserved for small bodies, so that sessions, spends and administration continue while others hold
/// large ones.
final class BodyBudget: Sendable {
    /// Together with the rest of the server's memory it stays under 200 MiB.
    static let maximumBytes = 96 << 20
    static let maximumLargeBytes = 64 << 20
    /// Room for one whole restore, or for some hundred receipts from players behind one address of a carrier.
    static let maximumBytesPerAddress = 32 << 20
    static let maximumLargeBytesPerAddress = 24 << 20

    private struct State {
        var bytes = 0
        /// Only addresses that hold some, so that there are never more entries than requests.
        var byAddress: [IPAddress?: Int] = [:]
    }

    private let state = Mutex(State())
    private let refusals: Counter

    init(refusals: Counter) { self.refusals = refusals }

    /// The bytes that are reserved now.
    var reservedBytes: Int { state.withLock { $0.bytes } }

    /// Reserves bytes for a body from the address, all or nothing.
    ///
    /// - Parameter isSmall: whether the body's limit is that of small ones.
    /// - Throws: 503 `busy` if the process or the address has no room for them.
    func reserve(_ bytes: Int, for address: IPAddress?, isSmall: Bool) throws(Problem) {
        let maximum = isSmall ? Self.maximumBytes : Self.maximumLargeBytes
        let maximumOfAddress = isSmall ? Self.maximumBytesPerAddress : Self.maximumLargeBytesPerAddress
        let isReserved = state.withLock { state in
            let ofAddress = state.byAddress[address, default: 0]
            guard state.bytes + bytes <= maximum, ofAddress + bytes <= maximumOfAddress else { return false }
            state.bytes += bytes
            state.byAddress[address] = ofAddress + bytes
            return true
        }
        guard isReserved else {
            refusals.increment()
            throw Problem.tooManyBodies
        }
    }

    /// Releases bytes that were reserved for the address.
    func release(_ bytes: Int, of address: IPAddress?) {
        state.withLock { state in
            state.bytes -= bytes
            let rest = state.byAddress[address, default: 0] - bytes
            state.byAddress[address] = rest > 0 ? rest : nil
        }
    }
}
