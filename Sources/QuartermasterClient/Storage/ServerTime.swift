import Foundation

/// The time by which access is decided on the device: that of the server's latest answer, and what has passed since. It
/// never runs backwards, however the player sets the device's clock.
struct ServerTime: Sendable {
    private let clock: ClientClock
    private let file: StoredFile<Date>
    private var base: Date
    private var uptime: Duration

    /// Starts at the device's time, or at the latest time that was seen if that is later.
    init(clock: ClientClock, folder: URL) {
        self.clock = clock
        file = StoredFile(folder.appendingPathComponent("time.json"))
        base = max(clock.now(), file.load() ?? .distantPast)
        uptime = clock.uptime()
    }

    var now: Date { base.addingTimeInterval((clock.uptime() - uptime) / .seconds(1)) }

    /// Sets the time to that of a server's answer, whatever the device's clock says.
    mutating func set(_ time: Date) {
        base = time
        uptime = clock.uptime()
        save()
    }

    /// Writes the time to disk, so that the next start does not begin before it.
    func save() { try? file.save(now) }
}
