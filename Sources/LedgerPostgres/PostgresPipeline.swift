import InAppPurchase

/// Statements that wait to be sent, in their order. Nothing of it is on its way: where a process stands still before a
/// turn the server knows that the transaction is idle, and ends it.
struct PostgresPipeline {
    /// After so many statements the server is waited for: the memory of both sides is bounded, and so is the time of a
    /// turn, and what is in vain after a failure.
    static let maximumStatements = 32
    /// The same for the bytes of arguments, of which a receipt alone may have 3 MiB.
    static let maximumBytes = 1 << 20

    struct Step {
        let statement: PostgresStatement
        let arguments: PostgresArguments
        let purpose: Purpose
        /// Whether the server is to remember the statement.
        let isNamed: Bool
    }

    /// What a statement is for.
    enum Purpose {
        /// To begin the transaction: where it fails there is none.
        case beginning
        /// To mark a place in the transaction. It fails only where the transaction has failed already.
        case mark
        /// What the transaction is for.
        case work
    }

    /// A place in what is sent.
    struct Mark {
        fileprivate let turn: Int
        fileprivate let count: Int
    }

    private(set) var steps: [Step] = []
    private var bytes = 0
    private var turn = 0

    var isFull: Bool { steps.count >= Self.maximumStatements || bytes >= Self.maximumBytes }
    var mark: Mark { Mark(turn: turn, count: steps.count) }

    /// How many of the statements may take their time: to begin is as one, to mark a place is nothing. At least 1.
    var workload: Int { max(1, steps.count { $0.purpose == .work } + (contains(.beginning) ? 1 : 0)) }

    func contains(_ purpose: Purpose) -> Bool { steps.contains { $0.purpose == purpose } }

    mutating func append(_ step: Step) {
        steps.append(step)
        bytes = bytes.saturatingAdding(step.arguments.size)
    }

    /// Everything, to be sent now.
    mutating func drain() -> [Step] {
        defer { (steps, bytes, turn) = ([], 0, turn &+ 1) }
        return steps
    }

    /// Forgets what came after a place and is not sent.
    ///
    /// - Returns: whether that was all that came after it.
    mutating func forget(after mark: Mark) -> Bool {
        let isAll = mark.turn == turn
        steps.removeLast(max(0, steps.count - (isAll ? mark.count : 0)))
        bytes = steps.reduce(0) { $0.saturatingAdding($1.arguments.size) }
        return isAll
    }
}
