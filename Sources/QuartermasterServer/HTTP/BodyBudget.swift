import CoreMetrics
import Synchronization

/// The bytes of request bodies in memory, of all connections and HTTP/2 streams together, and of each address.
///
/// What is counted is what buffers can hold, not what has come: a held body costs that. The last part of each budget is
/// for small bodies, so that sessions, spends and administrators go on while others hold large ones.
final class BodyBudget: Sendable {
    /// With what a server needs besides, it stays under 200 MiB.
    static let maximumBytes = 96 << 20
    static let maximumLargeBytes = 64 << 20
    /// One whole restore, or some hundred receipts on their way from players behind one address of a carrier.
    static let maximumBytesPerAddress = 32 << 20
    static let maximumLargeBytesPerAddress = 24 << 20

    private struct State {
        var bytes = 0
        /// Only those that hold some, so that there are never more than requests.
        var byAddress: [IPAddress?: Int] = [:]
    }

    private let state = Mutex(State())
    private let refusals: Counter

    init(refusals: Counter) { self.refusals = refusals }

    /// Bytes that are reserved now.
    var reservedBytes: Int { state.withLock { $0.bytes } }

    /// Reserves bytes for a body of the address, or none.
    ///
    /// - Parameter isSmall: whether the body's limit is that of small ones.
    /// - Throws: 503 `busy` if the process or the address has no room for so many more.
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

    /// Gives back what was reserved.
    func release(_ bytes: Int, of address: IPAddress?) {
        state.withLock { state in
            state.bytes -= bytes
            let rest = state.byAddress[address, default: 0] - bytes
            state.byAddress[address] = rest > 0 ? rest : nil
        }
    }
}
