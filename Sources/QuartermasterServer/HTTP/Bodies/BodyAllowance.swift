import Synchronization

/// The part of the ``BodyBudget`` that one request has reserved.
final class BodyAllowance: Sendable {
    private let budget: BodyBudget
    private let address: IPAddress?
    private let reserved = Mutex(0)

    init(_ budget: BodyBudget, for address: IPAddress?) {
        self.budget = budget
        self.address = address
    }

    /// Raises the reservation to this many bytes; a larger one stays.
    func grow(to bytes: Int, isSmall: Bool) throws(Problem) {
        let lacking = bytes - reserved.withLock { $0 }
        guard lacking > 0 else { return }
        try budget.reserve(lacking, for: address, isSmall: isSmall)
        reserved.withLock { $0 += lacking }
    }

    /// Releases everything that is reserved. A second call does nothing.
    func release() {
        let bytes = reserved.withLock { reserved in
            defer { reserved = 0 }
            return reserved
        }
        if bytes > 0 { budget.release(bytes, of: address) }
    }
}
