package import CoreMetrics
package import NIOCore
import Synchronization

/// The bytes of responses that clients have not read yet: in total, and by address.
///
/// Whoever asks and reads is never refused for those who do not: where there is no room, the connection ends that has
/// been longest without progress. Who waits shares the room with the other addresses that wait.
package final class UnsentBudget: Sendable {
    /// As much as bodies of requests may take: together with the rest of the server's memory it stays under 300 MiB.
    package static let maximumBytes = 96 << 20
    static let maximumBytesPerAddress = 24 << 20
    /// The bytes that a connection may have unsent before it counts, and the size from which a body is reserved before
    /// it is sent. NIO's own mark: above it, a channel is not writable.
    package static let uncountedBytes = 64 << 10
    /// The bytes that are written at a time, and that are progress when they are sent.
    static let pieceBytes = 32 << 10
    /// How long a response may be without progress when there is no room for another one.
    static let maximumStall = TimeAmount.seconds(10)
    /// Longer than it takes until another response has ended.
    package static let maximumWait = TimeAmount.seconds(30)

    /// The maximum number of responses of one address that wait for room; one more, and the first of them is refused.
    static let maximumWaiting = 64

    /// How often a response looks for room, and the least time between two searches for one that may end.
    private static let interval = TimeAmount.milliseconds(50)

    private struct Holding {
        let address: IPAddress?
        let end: @Sendable () -> Void
        var bytes: Int
        var progressAt: NIODeadline
    }

    private struct State {
        var bytes = 0
        /// Only addresses that hold some.
        var byAddress: [IPAddress: Int] = [:]
        /// The addresses that hold more than they may.
        var over: Set<IPAddress> = []
        var holdings: [Int: Holding] = [:]
        /// The responses that wait for room, the newest of each address last. That one has its turn first: those that
        /// nobody reads are waited for the longest.
        var waiting: [IPAddress?: [Int]] = [:]
        var lastID = 0
        var nextSearch = NIODeadline.uptimeNanoseconds(0)

        mutating func nextID() -> Int {
            lastID += 1
            return lastID
        }

        func hasRoom(for bytes: Int, of address: IPAddress?) -> Bool {
            isFree(self.bytes, bytes, UnsentBudget.maximumBytes) && isFree(held(by: address), bytes, share(of: address))
        }

        func held(by address: IPAddress?) -> Int { address.flatMap { byAddress[$0] } ?? 0 }

        /// The bytes that an address may hold, beside the others that wait.
        func share(of address: IPAddress?) -> Int {
            let others = waiting.count - (waiting[address] == nil ? 0 : 1)
            return min(UnsentBudget.maximumBytesPerAddress, UnsentBudget.maximumBytes / (1 + others))
        }

        /// A body that is larger than the whole share has it alone.
        private func isFree(_ held: Int, _ bytes: Int, _ maximum: Int) -> Bool { held == 0 || held + bytes <= maximum }

        var isOver: Bool { bytes > UnsentBudget.maximumBytes || !over.isEmpty }

        mutating func set(_ id: Int, to bytes: Int, at time: NIODeadline) {
            guard var holding = holdings[id] else { return }
            let more = bytes - holding.bytes
            if holding.bytes == 0 { holding.progressAt = time }
            holding.bytes = bytes
            holdings[id] = holding
            self.bytes += more
            guard let address = holding.address else { return }
            let rest = byAddress[address, default: 0] + more
            byAddress[address] = rest > 0 ? rest : nil
            if rest > UnsentBudget.maximumBytesPerAddress { over.insert(address) } else { over.remove(address) }
        }

        mutating func remove(_ id: Int, at time: NIODeadline) -> Holding? {
            set(id, to: 0, at: time)
            return holdings.removeValue(forKey: id)
        }

        /// The one that has been longest without progress among those that take the room that is lacking.
        func slowest(for bytes: Int, of address: IPAddress?) -> (id: Int, progressAt: NIODeadline)? {
            let isOfAddress = !isFree(held(by: address), bytes, share(of: address))
            return holdings.filter { $0.value.bytes > 0 && (!isOfAddress || $0.value.address == address) }
                .map { ($0.key, $0.value.progressAt) }.min { $0.1 < $1.1 }
        }

        mutating func enqueue(_ id: Int, of address: IPAddress?) {
            waiting[address, default: []].append(id)
            if waiting[address, default: []].count > UnsentBudget.maximumWaiting { waiting[address]?.removeFirst() }
        }

        mutating func dequeue(_ id: Int, of address: IPAddress?) {
            waiting[address]?.removeAll { $0 == id }
            if waiting[address]?.isEmpty == true { waiting[address] = nil }
        }
    }

    private let clients: ClientAddresses
    private let ended: Counter
    private let now: @Sendable () -> NIODeadline
    private let state = Mutex(State())
    private let over = Atomic(false)

    /// - Parameter ended: counts the responses that were ended to make room.
    package init(_ clients: ClientAddresses, ended: Counter, now: @escaping @Sendable () -> NIODeadline = { .now() }) {
        self.clients = clients
        self.ended = ended
        self.now = now
    }

    /// The bytes that are held now.
    package var heldBytes: Int { state.withLock { $0.bytes } }

    /// Whether more is held than may be. What is counted after it was written can exceed the budget.
    package var isOver: Bool { over.load(ordering: .relaxed) }

    /// The account of a connection, of which nothing is counted yet. That of a trusted proxy, which brings the
    /// responses of many clients, has no address.
    package func connection(_ channel: any Channel) -> UnsentBytes {
        count(0, for: clients.subscriber(of: channel), on: channel)
    }

    /// Counts bytes of a response to an address, which is sent in any case.
    package func count(_ bytes: Int, for address: IPAddress?, on channel: any Channel) -> UnsentBytes {
        let held = state.withLock { add(0, address, channel, &$0) }
        held.count(bytes)
        return held
    }

    /// Reserves bytes for a response to an address.
    ///
    /// - Returns: `nil` if there is no room for them now.
    func reserve(_ bytes: Int, for address: IPAddress?, on channel: any Channel) -> UnsentBytes? {
        state.withLock { state in state.hasRoom(for: bytes, of: address) ? add(bytes, address, channel, &state) : nil }
    }

    /// Reserves bytes for a response to an address, as soon as there is room. Where others hold it without progress,
    /// theirs ends.
    ///
    /// - Throws: 503 `busy` if there is no room in ``maximumWait``, though others' responses have ended, or if newer
    ///   ones of the same address are too many; `ChannelError` if the channel is closed meanwhile.
    func reserveSoon(_ bytes: Int, for address: IPAddress?, on channel: any Channel) async throws -> UnsentBytes {
        let began = now()
        let id = state.withLock { state in
            let id = state.nextID()
            state.enqueue(id, of: address)
            return id
        }
        defer { state.withLock { $0.dequeue(id, of: address) } }
        while now() - began < Self.maximumWait {
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            let queue = state.withLock { $0.waiting[address] ?? [] }
            guard queue.contains(id) else { break }
            if queue.last == id {
                if let held = reserve(bytes, for: address, on: channel) { return held }
                makeRoom(for: bytes, of: address, since: began)
            }
            try await Task.sleep(for: .nanoseconds(Self.interval.nanoseconds))
        }
        throw Problem.tooManyBodies
    }

    private func add(_ bytes: Int, _ address: IPAddress?, _ channel: any Channel, _ state: inout State) -> UnsentBytes {
        let (id, time) = (state.nextID(), now())
        // A proxy's connection has the streams of others.
        let ended = clients.subscriber(of: channel) == nil ? channel : channel.connection
        state.holdings[id] = Holding(address: address, end: { ended.close(promise: nil) }, bytes: 0, progressAt: time)
        state.set(id, to: bytes, at: time)
        return UnsentBytes(id: id, self)
    }

    /// Ends the connection that has been longest without progress, if that is long enough or room was waited for as
    /// long.
    private func makeRoom(for bytes: Int, of address: IPAddress?, since began: NIODeadline) {
        let now = now()
        let ended = state.withLock { state -> Holding? in
            guard now >= state.nextSearch else { return nil }
            state.nextSearch = now + Self.interval
            guard !state.hasRoom(for: bytes, of: address), let slowest = state.slowest(for: bytes, of: address),
                now - min(slowest.progressAt, began) >= Self.maximumStall
            else { return nil }
            return state.remove(slowest.id, at: now)
        }
        guard let ended else { return }
        self.ended.increment()
        ended.end()
    }

    // MARK: For the holders

    fileprivate func set(_ id: Int, to bytes: Int) {
        let now = now()
        let isOver = state.withLock { state in
            state.set(id, to: bytes, at: now)
            return state.isOver
        }
        over.store(isOver, ordering: .relaxed)
    }

    fileprivate func progress(_ id: Int) {
        let now = now()
        state.withLock { $0.holdings[id]?.progressAt = now }
    }

    fileprivate func remove(_ id: Int) {
        let now = now()
        // What it refers to may end with it, and hold others: not while the state is locked.
        let (_, isOver) = state.withLock { ($0.remove(id, at: now), $0.isOver) }
        over.store(isOver, ordering: .relaxed)
    }
}

/// The part of the ``UnsentBudget`` that a response or a connection holds, until nothing refers to this any more.
package final class UnsentBytes: Sendable {
    private let id: Int
    private let budget: UnsentBudget

    fileprivate init(id: Int, _ budget: UnsentBudget) {
        self.id = id
        self.budget = budget
    }

    deinit { budget.remove(id) }

    /// Counts this many bytes instead of those before. Does nothing once the holder was ended.
    func count(_ bytes: Int) { budget.set(id, to: bytes) }

    /// Records that the client has read as much as is progress.
    func progress() { budget.progress(id) }
}

extension Channel {
    /// The connection of a stream of HTTP/2; any other channel is one. Its parent is the listener, which has none.
    fileprivate var connection: any Channel {
        guard let parent, parent.parent != nil else { return self }
        return parent
    }
}
