import Configuration
import NIOCore
import ServerHTTP

extension ConnectionLimits {
    /// A day; no limit here is meant to be longer.
    private static let maximumSeconds = 86_400
    /// A minimum rate above the speed of phones would cut them all off.
    private static let maximumBytes = 1 << 20
    /// More than a system has file descriptors for.
    private static let maximumConnections = 1_000_000

    /// - Throws: ``/ServerHTTP/SettingError`` for the first value that is invalid.
    package init(_ sources: SettingSources) throws {
        self.init()
        func time(_ name: String, _ standard: TimeAmount) throws -> TimeAmount {
            let seconds = Int(standard.nanoseconds / 1_000_000_000)
            return .seconds(Int64(try sources.limit(name, upTo: Self.maximumSeconds, or: seconds)))
        }
        header = try time("headerSeconds", header)
        idle = try time("idleSeconds", idle)
        body = try time("bodySeconds", body)
        total = try time("totalSeconds", total)
        slowestDownload = try sources.limit("downloadBytesPerSecond", upTo: Self.maximumBytes, or: slowestDownload)
        perAddress = try sources.limit("connectionsPerAddress", upTo: Self.maximumConnections, or: perAddress)
    }
}

extension SettingSources {
    /// The value of a limit; its default if it is 0 or not set.
    fileprivate func limit(_ name: String, upTo most: Int, or standard: Int) throws -> Int {
        let limit = try number("limits.\(name)", "a number up to \(most)", in: 0...most, or: standard)
        return limit == 0 ? standard : limit
    }
}
