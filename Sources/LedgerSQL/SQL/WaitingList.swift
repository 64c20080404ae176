/// A queue in the order of arrival, each waiter with a deadline: whoever comes later times out later, so one timer is
/// enough.
package struct WaitingList<Waiter> {
    private var waiters: [(deadline: ContinuousClock.Instant, waiter: Waiter)] = []
    private var isTimed = false

    package init() {}

    package var count: Int { waiters.count }

    /// - Returns: whether no timer runs, so that the caller must start one for the deadline.
    package mutating func append(_ waiter: Waiter, until deadline: ContinuousClock.Instant) -> Bool {
        waiters.append((deadline, waiter))
        defer { isTimed = true }
        return !isTimed
    }

    /// Those that wait, in order.
    package var all: [Waiter] { waiters.map(\.waiter) }

    /// Removes the waiter at a place of ``all``.
    package mutating func remove(at index: Int) -> Waiter { waiters.remove(at: index).waiter }

    package mutating func popFirst() -> Waiter? { waiters.isEmpty ? nil : waiters.removeFirst().waiter }

    /// Removes those whose deadline is over, when the timer ends.
    ///
    /// - Returns: them, and the deadline for which the caller must start another timer; `nil` if nobody waits.
    package mutating func expire(at now: ContinuousClock.Instant) -> (late: [Waiter], next: ContinuousClock.Instant?) {
        let late = waiters.prefix { $0.deadline <= now }.map(\.waiter)
        waiters.removeFirst(late.count)
        isTimed = !waiters.isEmpty
        return (late, waiters.first?.deadline)
    }
}
