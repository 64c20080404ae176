import InAppPurchase

/// The queue of statements to be sent. None of them has been sent: if the process hangs before it sends them, the
/// server sees an idle transaction, and ends it.
struct PostgresPipeline {
    /// The maximum number of statements in one batch: it bounds the memory of both sides, the time of a batch, and what
    /// is wasted after a failure.
    static let maximumStatements = 32
    /// The maximum size of the arguments in one batch, in bytes; a receipt alone may have 3 MiB.
    static let maximumBytes = 1 << 20

    struct Step {
        let statement: PostgresStatement
        let arguments: PostgresArguments
        let purpose: Purpose
        /// Whether the server prepares the statement under a name.
        let isNamed: Bool
    }

    /// The purpose of a statement.
    enum Purpose {
        /// Begins the transaction: if it fails there is none.
        case beginning
        /// Sets a savepoint. It fails only if the transaction has failed already.
        case mark
        /// A statement of the transaction's own work.
        case work
    }

    /// A place in the sequence of queued and sent statements.
    struct Mark {
        fileprivate let turn: Int
        fileprivate let count: Int
    }

    private(set) var steps: [Step] = []
    private var bytes = 0
    private var turn = 0

    var isFull: Bool { steps.count >= Self.maximumStatements || bytes >= Self.maximumBytes }
    var mark: Mark { Mark(turn: turn, count: steps.count) }

    /// The number of statements that may take their full timeout: to begin counts as one, savepoints do not count. At
    /// least 1.
    var workload: Int { max(1, steps.count { $0.purpose == .work } + (contains(.beginning) ? 1 : 0)) }

    func contains(_ purpose: Purpose) -> Bool { steps.contains { $0.purpose == purpose } }

    mutating func append(_ step: Step) {
        steps.append(step)
        bytes = bytes.saturatingAdding(step.arguments.size)
    }

    /// Empties the queue and returns its statements, to be sent now.
    mutating func drain() -> [Step] {
        defer { (steps, bytes, turn) = ([], 0, turn &+ 1) }
        return steps
    }

    /// Discards statements that were queued after the mark and not sent.
    ///
    /// - Returns: `true` if none after it had been sent.
    mutating func forget(after mark: Mark) -> Bool {
        let isAll = mark.turn == turn
        steps.removeLast(max(0, steps.count - (isAll ? mark.count : 0)))
        bytes = steps.reduce(0) { $0.saturatingAdding($1.arguments.size) }
        return isAll
    }
}
