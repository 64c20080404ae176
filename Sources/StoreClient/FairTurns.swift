package import Basics
import Synchronization

/// A number of turns at something scarce, shared fairly: who waits gets the next turn by address, within an address by
/// account, and then in the order of arrival. So nobody waits longer because another client asks for many turns.
package final class FairTurns: Sendable {
    package struct Limits: Sendable {
        /// The turns that are taken at the same time: in all, by one address, and by one account.
        package var total: Int
        package var perAddress: Int
        package var perAccount: Int
        /// How many wait. One more takes the place of the last one of whoever has most, if that is somebody else.
        package var waiting: Int

        package init(total: Int, perAddress: Int, perAccount: Int, waiting: Int) {
            self.total = total
            self.perAddress = perAddress
            self.perAccount = perAccount
            self.waiting = waiting
        }
    }

    private let limits: Limits
    private let state = Mutex(State())

    package init(_ limits: Limits) { self.limits = limits }

    /// How many wait for a turn.
    package var waiting: Int { state.withLock(\.waiters.count) }

    /// Runs the work when it is the sender's turn.
    ///
    /// - Returns: `nil` without running it if there is no turn: too many wait, or the task is cancelled.
    package func run<Value, Failure: Error>(
        for sender: Sender, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value? {
        guard await wait(for: sender) else { return nil }
        defer { release(for: sender) }
        return try await work()
    }

    /// Waits for a turn, which ``release(for:)`` ends.
    ///
    /// - Parameter limit: the longest wait.
    /// - Returns: whether there is one.
    package func enter(for sender: Sender, within limit: Duration) async -> Bool {
        if state.withLock({ $0.takeNow(for: sender, limits) }) { return true }
        // A turn that comes together with the end of the time is not lost: the task that waits says whether it has it.
        let held = Atomic(false)
        _ = await withTimeLimit(limit) { held.store(await self.wait(for: sender), ordering: .relaxed) }
        return held.load(ordering: .relaxed)
    }

    private func wait(for sender: Sender) async -> Bool {
        let id = state.withLock { $0.nextID() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                let waiter = Waiter(id: id, sender: sender, continuation: continuation)
                let refused = state.withLock { $0.enter(waiter, limits, isCancelled: Task.isCancelled) }
                refused?.resume(returning: false)
                state.withLock { $0.admit(limits) }.forEach { $0.resume(returning: true) }
            }
        } onCancel: {
            state.withLock { $0.remove(id) }?.resume(returning: false)
        }
    }

    /// Ends a turn.
    package func release(for sender: Sender) {
        state.withLock { state in
            state.end(sender)
            return state.admit(limits)
        }
        .forEach { $0.resume(returning: true) }
    }
}

private typealias Continuation = CheckedContinuation<Bool, Never>

private struct Waiter {
    /// Rising in the order of arrival.
    var id: Int
    var sender: Sender
    var continuation: Continuation
}

/// How many turns somebody has now, and when the last one began; only of those who have one or wait.
private struct Share {
    var held = 0
    var waiting = 0
    var latest = 0
}

private struct State {
    var waiters: [Waiter] = []
    private var held = 0
    private var addresses: [UInt128?: Share] = [:]
    private var accounts: [Sender: Share] = [:]
    /// Counts arrivals and turns.
    private var count = 0

    mutating func nextID() -> Int {
        count += 1
        return count
    }

    /// Takes a turn if nobody has to wait for one.
    mutating func takeNow(for sender: Sender, _ limits: FairTurns.Limits) -> Bool {
        guard waiters.isEmpty, hasTurn(for: sender, limits) else { return false }
        begin(sender)
        return true
    }

    /// - Returns: who does not wait any more, or not at all.
    mutating func enter(_ waiter: Waiter, _ limits: FairTurns.Limits, isCancelled: Bool) -> Continuation? {
        guard !isCancelled else { return waiter.continuation }
        var refused: Continuation?
        if waiters.count >= limits.waiting {
            guard let index = waiters.map(\.sender).index(for: waiter.sender) else { return waiter.continuation }
            refused = removeWaiter(at: index).continuation
        }
        waiters.append(waiter)
        update(waiter.sender) { $0.waiting += 1 }
        return refused
    }

    mutating func remove(_ id: Int) -> Continuation? {
        waiters.firstIndex { $0.id == id }.map { removeWaiter(at: $0).continuation }
    }

    /// Gives turns to those who wait, as long as there are any.
    mutating func admit(_ limits: FairTurns.Limits) -> [Continuation] {
        var admitted: [Continuation] = []
        while held < limits.total {
            let next = waiters.indices.filter { hasTurn(for: waiters[$0].sender, limits) }
                .min { order(waiters[$0]) < order(waiters[$1]) }
            guard let next else { break }
            let waiter = removeWaiter(at: next)
            begin(waiter.sender)
            admitted.append(waiter.continuation)
        }
        return admitted
    }

    /// The order of those who wait: who had no turn for longest comes first.
    private func order(_ waiter: Waiter) -> (Int, Int, Int) {
        (addresses[waiter.sender.address]?.latest ?? 0, accounts[waiter.sender]?.latest ?? 0, waiter.id)
    }

    private func hasTurn(for sender: Sender, _ limits: FairTurns.Limits) -> Bool {
        held < limits.total && addresses[sender.address]?.held ?? 0 < limits.perAddress
            && accounts[sender]?.held ?? 0 < limits.perAccount
    }

    private mutating func begin(_ sender: Sender) {
        let turn = nextID()
        held += 1
        update(sender) { share in
            share.held += 1
            share.latest = turn
        }
    }

    mutating func end(_ sender: Sender) {
        held -= 1
        update(sender) { $0.held -= 1 }
    }

    private mutating func removeWaiter(at index: Int) -> Waiter {
        let waiter = waiters.remove(at: index)
        update(waiter.sender) { $0.waiting -= 1 }
        return waiter
    }

    private mutating func update(_ sender: Sender, _ change: (inout Share) -> Void) {
        change(&addresses[sender.address, default: Share()])
        change(&accounts[sender, default: Share()])
        if addresses[sender.address]?.isNothing ?? false { addresses[sender.address] = nil }
        if accounts[sender]?.isNothing ?? false { accounts[sender] = nil }
    }
}

extension Share {
    fileprivate var isNothing: Bool { held == 0 && waiting == 0 }
}
