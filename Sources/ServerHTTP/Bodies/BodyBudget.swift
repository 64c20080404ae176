package import CoreMetrics
import InAppPurchase
package import NIOCore
import Synchronization

/// The bytes of request bodies in memory: in total over all connections and HTTP/2 streams, and by address.
///
/// The capacity of the buffers is counted, not the bytes received, since that is what a body costs. Small and large
/// bodies have shares of their own; which of them a body is, its own size says, not its route. Where a share is full, a
/// body that arrives slowly ends for the new one.
package final class BodyBudget: Sendable {
    /// Together with the small ones, and the rest of the server's memory, they stay under 200 MiB.
    static let maximumLargeBytes = 64 << 20
    static let maximumSmallBytes = 32 << 20
    /// Room for one whole restore and a receipt or two.
    static let maximumLargeBytesPerAddress = 24 << 20
    /// Some thousand players behind one address of a carrier send at once.
    static let maximumSmallBytesPerAddress = 4 << 20
    static let largeBodiesPerAccount = 2
    /// In bytes a second. A slower large body ends after ``gracePeriod`` even if there is room.
    static let slowestRate = 2 << 10
    /// In bytes a second. One large body of each address that holds it is not ended for others.
    static let sparedRate = 8 << 10
    /// In bytes a second. A large body that is slower ends if there is no room for another one.
    static let slowRate = 64 << 10
    /// How long no large body counts as slow, whatever arrives of it.
    static let gracePeriod = TimeAmount.seconds(10)

    /// How often it is looked at whether a large body is slow; its rate is that of one or two of these.
    package static let interval = TimeAmount.seconds(5)

    private struct Body {
        let address: IPAddress?
        let end: @Sendable () -> Void
        let began: NIODeadline
        var account: AccountID?
        var bytes = 0
        var isLarge = false
        var isWhole = false
        private var arrived = 0
        /// The bytes that had arrived at two times, from the first of which the rate is counted.
        private var marks: (first: (at: NIODeadline, bytes: Int), second: (at: NIODeadline, bytes: Int))

        init(_ address: IPAddress?, at time: NIODeadline, end: @escaping @Sendable () -> Void) {
            self.address = address
            began = time
            self.end = end
            marks = ((time, 0), (time, 0))
        }

        mutating func arrive(_ bytes: Int, at time: NIODeadline) {
            arrived += bytes
            guard time - marks.second.at >= BodyBudget.interval else { return }
            marks = (marks.second, (time, arrived))
        }

        /// In bytes a second, over the last seconds.
        func rate(at time: NIODeadline) -> Int {
            let milliseconds = max((time - marks.first.at).nanoseconds / 1_000_000, 1_000)
            return (arrived - marks.first.bytes) * 1_000 / Int(milliseconds)
        }

        func isSlow(_ rate: Int, at time: NIODeadline) -> Bool {
            !isWhole && time - began >= BodyBudget.gracePeriod && self.rate(at: time) < rate
        }
    }

    /// The reserved bytes, small and large.
    private struct Shares {
        var small = 0
        var large = 0

        subscript(isLarge: Bool) -> Int {
            get { isLarge ? large : small }
            set { if isLarge { large = newValue } else { small = newValue } }
        }
    }

    private struct State {
        var bodies: [Int: Body] = [:]
        var shares = Shares()
        /// Only addresses that hold some, so that there are never more entries than requests.
        var byAddress: [IPAddress?: Shares] = [:]
        var lastID = 0

        mutating func add(_ bytes: Int, to id: Int) {
            guard let body = bodies[id] else { return }
            bodies[id]?.bytes += bytes
            shares[body.isLarge] += bytes
            byAddress[body.address, default: Shares()][body.isLarge] += bytes
            if let left = byAddress[body.address], left.small <= 0, left.large <= 0 { byAddress[body.address] = nil }
        }

        /// Makes a body a large one, which takes nothing of the small ones' share any more.
        mutating func enlarge(_ id: Int, of account: AccountID?) -> Bool {
            guard let body = bodies[id], !body.isLarge else { return true }
            let others = account.map { account in bodies.values.count { $0.isLarge && $0.account == account } } ?? 0
            guard others < BodyBudget.largeBodiesPerAccount else { return false }
            add(-body.bytes, to: id)
            bodies[id]?.isLarge = true
            bodies[id]?.account = account
            add(body.bytes, to: id)
            return true
        }

        /// - Returns: what has no room: the whole share, or that of the body's address; `nil` if all have.
        func shortage(of bytes: Int, for body: Body) -> Shortage? {
            let maximum = body.isLarge ? BodyBudget.maximumLargeBytes : BodyBudget.maximumSmallBytes
            let maximumOfAddress =
                body.isLarge ? BodyBudget.maximumLargeBytesPerAddress : BodyBudget.maximumSmallBytesPerAddress
            let held = byAddress[body.address, default: Shares()][body.isLarge]
            if held + bytes > maximumOfAddress { return .ofAddress }
            return shares[body.isLarge] + bytes > maximum ? .ofAll : nil
        }

        /// The body that ends for another one: the slowest large one, but for those that are fast enough and the one of
        /// each address that is spared; or the slowest small one.
        func slowest(than id: Int, _ body: Body, _ shortage: Shortage, at time: NIODeadline) -> Int? {
            let others = bodies.filter { other in
                other.key != id && other.value.isLarge == body.isLarge && !other.value.isWhole
                    && other.value.bytes > 0 && (shortage == .ofAll || other.value.address == body.address)
            }
            let spared = body.isLarge ? spared(of: others, at: time) : []
            return others.filter { other in
                !body.isLarge || !spared.contains(other.key) && other.value.isSlow(BodyBudget.slowRate, at: time)
            }.min { ($0.value.rate(at: time), $0.key) < ($1.value.rate(at: time), $1.key) }?.key
        }

        private func spared(of bodies: [Int: Body], at time: NIODeadline) -> Set<Int> {
            var first: [IPAddress?: Int] = [:]
            for (id, body) in bodies where body.rate(at: time) >= BodyBudget.sparedRate {
                first[body.address] = min(id, first[body.address] ?? id)
            }
            return Set(first.values)
        }

        mutating func remove(_ id: Int) -> Body? {
            guard let body = bodies[id] else { return nil }
            add(-body.bytes, to: id)
            return bodies.removeValue(forKey: id)
        }
    }

    private enum Shortage {
        case ofAddress, ofAll
    }

    private let state = Mutex(State())
    private let refusals: Counter
    private let now: @Sendable () -> NIODeadline

    /// - Parameter refusals: counts the bodies that were refused, or ended for others.
    package init(refusals: Counter, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.refusals = refusals
        self.now = now
    }

    /// The bytes that are reserved now.
    var reservedBytes: Int { state.withLock { $0.shares.small + $0.shares.large } }

    /// Begins to count a body.
    ///
    /// - Parameter end: is called if it is to end before it has arrived.
    package func begin(for address: IPAddress?, end: @escaping @Sendable () -> Void) -> BodyAllowance {
        let time = now()
        let id = state.withLock { state in
            state.lastID += 1
            state.bodies[state.lastID] = Body(address, at: time, end: end)
            return state.lastID
        }
        return BodyAllowance(id: id, self)
    }

    fileprivate func grow(_ id: Int, to bytes: Int, isLarge: Bool, of account: AccountID?) throws(Problem) {
        let time = now()
        let (isReserved, ended) = state.withLock { state -> (Bool, [Body]) in
            var ended: [Body] = []
            guard !isLarge || state.enlarge(id, of: account), let body = state.bodies[id] else { return (false, ended) }
            let lacking = max(0, bytes - body.bytes)
            while let shortage = state.shortage(of: lacking, for: body) {
                if let slowest = state.slowest(than: id, body, shortage, at: time) {
                    if let removed = state.remove(slowest) { ended.append(removed) }
                } else if body.isLarge || shortage == .ofAll {
                    return (false, ended)
                } else {
                    // All of the address have arrived, and are being answered.
                    break
                }
            }
            state.add(lacking, to: id)
            return (true, ended)
        }
        for body in ended { end(body) }
        guard !isReserved else { return }
        refusals.increment()
        throw Problem.tooManyBodies
    }

    private func end(_ body: Body) {
        refusals.increment()
        body.end()
    }

    fileprivate func arrive(_ bytes: Int, of id: Int) {
        let time = now()
        state.withLock { $0.bodies[id]?.arrive(bytes, at: time) }
    }

    fileprivate func complete(_ id: Int) { state.withLock { $0.bodies[id]?.isWhole = true } }

    fileprivate func endIfTooSlow(_ id: Int) {
        let time = now()
        let ended = state.withLock { state in
            guard let body = state.bodies[id], body.isLarge, body.isSlow(Self.slowestRate, at: time) else {
                return nil as Body?
            }
            return state.remove(id)
        }
        if let ended { end(ended) }
    }

    fileprivate func release(_ id: Int) { _ = state.withLock { $0.remove(id) } }
}

/// The part of the ``BodyBudget`` that one request has reserved.
package final class BodyAllowance: Sendable {
    private let id: Int
    private let budget: BodyBudget

    fileprivate init(id: Int, _ budget: BodyBudget) {
        self.id = id
        self.budget = budget
    }

    /// Raises the reservation to this many bytes; a larger one stays.
    ///
    /// - Parameters:
    ///   - isLarge: whether the body is, or will be, larger than ``Limits/smallBodyBytes``. A large one stays large.
    ///   - account: that sends it, if it is known.
    /// - Throws: 503 `busy` if there is no room for it, or if it ended for others.
    func grow(to bytes: Int, isLarge: Bool, of account: AccountID? = nil) throws(Problem) {
        try budget.grow(id, to: bytes, isLarge: isLarge, of: account)
    }

    /// Records bytes that arrived.
    func arrive(_ bytes: Int) { budget.arrive(bytes, of: id) }

    /// Records that the body has arrived: it is not slow any more.
    func complete() { budget.complete(id) }

    /// Ends the body if too little of it has arrived of late.
    func endIfTooSlow() { budget.endIfTooSlow(id) }

    /// Releases everything that is reserved. A second call does nothing.
    func release() { budget.release(id) }
}
