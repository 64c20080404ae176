import Synchronization

/// What one request has reserved of the ``BodyBudget``.
final class BodyAllowance: Sendable {
    private let budget: BodyBudget
    private let address: IPAddress?
    private let reserved = Mutex(0)

    init(_ budget: BodyBudget, for address: IPAddress?) {
        self.budget = budget
        self.address = address
    }

    /// Reserves what is lacking to so many bytes.
    ///
    /// - Throws: 503 `busy` if there is no room.
    func grow(to bytes: Int, isSmall: Bool) throws(Problem) {
        let lacking = bytes - reserved.withLock { $0 }
        guard lacking > 0 else { return }
        try budget.reserve(lacking, for: address, isSmall: isSmall)
        reserved.withLock { $0 += lacking }
    }

    /// Gives back everything. The second time there is nothing.
    func release() {
        let bytes = reserved.withLock { reserved in
            defer { reserved = 0 }
            return reserved
        }
        if bytes > 0 { budget.release(bytes, of: address) }
    }
}
