import Foundation

/// The server's addresses: the first, and its mirrors, which are asked while it is away.
///
/// `@unchecked Sendable`: `used` is read and written with `lock` held alone.
final class ServerAddresses: @unchecked Sendable {
    /// How long a mirror is asked before the first address gets its next chance.
    static let mirrorInterval = Duration.seconds(300)

    private let all: [URL]
    private let uptime: @Sendable () -> Duration
    private let lock = NSLock()
    /// The mirror that answered last, by its place.
    private var used: (place: Int, since: Duration)?

    init(_ first: URL, mirrors: [URL] = [], uptime: @escaping @Sendable () -> Duration = ClientClock.system.uptime) {
        all = [first] + mirrors
        self.uptime = uptime
    }

    /// The address to ask.
    var current: URL { all[place] }

    /// All of them once, beginning with ``current``.
    var inTurn: [URL] { [current] + all.enumerated().filter { $0.offset != place }.map(\.element) }

    private var place: Int {
        lock.withLock {
            guard let used, uptime() - used.since < Self.mirrorInterval else { return 0 }
            return used.place
        }
    }

    /// Makes an address the current one, since it answered.
    func use(_ address: URL) {
        guard let place = all.firstIndex(of: address), place != self.place else { return }
        lock.withLock { used = place == 0 ? nil : (place, uptime()) }
    }

    /// Makes the next address the current one, if the error says that this one is away and it is still current.
    func leave(_ address: URL, after error: ConnectionError) {
        guard address == current, let place = all.firstIndex(of: address), Self.isAway(error) else { return }
        use(all[(place + 1) % all.count])
    }

    /// Whether another address may answer in place of one that did so.
    static func isAway(_ error: any Error) -> Bool {
        switch error {
        case ConnectionError.notConnected, ConnectionError.unreachable, ConnectionError.timedOut: true
        case let problem as ServerProblem: problem.status >= 500
        default: false
        }
    }
}
