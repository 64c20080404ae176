import Foundation

/// The time by which access is decided on the device: that of the server's latest answer, and what has passed since. It
/// never runs backwards, however the player sets the device's clock.
///
/// `@unchecked Sendable`: `state` is read and written with `lock` held alone.
final class ServerTime: @unchecked Sendable {
    private struct State {
        var base: Date
        var uptime: Duration
        /// Whether an answer of the server has set it since the process began.
        var isOfServer = false
    }

    private let clock: ClientClock
    private let file: StoredFile<Date>
    private let lock = NSLock()
    private var state: State

    /// Starts at the device's time, or at the latest time that was seen if that is later.
    init(clock: ClientClock, folder: URL) {
        self.clock = clock
        file = StoredFile(ClientFolder.time(folder))
        state = State(base: max(clock.now(), file.loadIfReadable() ?? .distantPast), uptime: clock.uptime())
    }

    var now: Date { now(of: current) }

    /// The server's time, or `nil` if the server has not told it since the process began: ``now`` may then be what the
    /// player has set.
    var ofServer: Date? {
        let state = current
        return state.isOfServer ? now(of: state) : nil
    }

    /// The later of the server's times: in this response, and by other answers. The device's clock, which players set,
    /// counts only if there is neither.
    func latest(with response: HTTPResponse? = nil) -> Date {
        [response?.serverTime, ofServer].compactMap(\.self).max() ?? clock.now()
    }

    private var current: State { lock.withLock { state } }

    /// Sets the time to that of a server's answer, whatever the device's clock says.
    func set(_ time: Date) {
        lock.withLock { state = State(base: time, uptime: clock.uptime(), isOfServer: true) }
        save()
    }

    /// Sets the time to that of an answer that may be old, unless it is past already.
    func advance(to time: Date) {
        guard time > now else { return }
        set(time)
    }

    /// Writes the time to disk, so that the next start does not begin before it.
    func save() { try? file.save(now) }

    private func now(of state: State) -> Date {
        state.base.addingTimeInterval((clock.uptime() - state.uptime) / .seconds(1))
    }
}
