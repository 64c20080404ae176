import Content
import Foundation
import LedgerSQL
import Synchronization

/// How far something is that takes a while, on one line of a terminal that is written over and over.
final class ProgressLine: Sendable {
    /// Nobody reads faster, and a terminal over a slow line does not fall behind.
    static let interval: TimeInterval = 0.1

    private struct State {
        /// What is done now.
        var step: String?
        var begun = Date.distantPast
        var shown = Date.distantPast
    }

    private let output: FileHandle
    private let clock: @Sendable () -> Date
    private let state = Mutex(State())

    init(output: FileHandle, clock: @escaping @Sendable () -> Date) { (self.output, self.clock) = (output, clock) }

    /// On standard error; nil where that is piped.
    static func onTerminal(clock: @escaping @Sendable () -> Date) -> ProgressLine? {
        isatty(STDERR_FILENO) == 1 ? ProgressLine(output: .standardError, clock: clock) : nil
    }

    func show(_ progress: PublishingProgress) { show(progress.step.verb, progress.text) }

    func show(_ progress: LedgerCopyProgress) { show(progress.step.verb, progress.text) }

    private func show(_ step: String, _ text: (TimeInterval) -> String) {
        let now = clock()
        let elapsed: TimeInterval? = state.withLock { state in
            if state.step != step { state = State(step: step, begun: now) }
            guard now.timeIntervalSince(state.shown) >= Self.interval else { return nil }
            state.shown = now
            return now.timeIntervalSince(state.begun)
        }
        if let elapsed { write(text(elapsed)) }
    }

    /// Leaves the line empty.
    func clear() { write("") }

    /// ECMA-48 EL: clears to the end of the line. What cannot be shown is not worth a failure.
    private func write(_ text: String) { try? output.write(contentsOf: Data("\r\(text)\u{1B}[K".utf8)) }
}

extension PublishingProgress {
    /// Such as `copied 12.5 MB of 40.0 MB, 8.2 MB/s, 4 s left`.
    ///
    /// - Parameter elapsed: seconds since the step began.
    func text(after elapsed: TimeInterval) -> String {
        var parts = ["\(step.verb) \(Self.bytes(Double(done)))"]
        if let total { parts[0] += " of \(Self.bytes(Double(total)))" }
        guard elapsed > 0, done > 0 else { return parts[0] }
        let rate = Double(done) / elapsed
        parts.append("\(Self.bytes(rate))/s")
        if let total, let left = Int(exactly: (Double(max(total - done, 0)) / rate).rounded(.up)) {
            parts.append("\(left) s left")
        }
        return parts.joined(separator: ", ")
    }

    /// In powers of 1000, as disks and networks are sold.
    private static func bytes(_ count: Double) -> String {
        let (units, step) = (["kB", "MB", "GB", "TB"], 1_000.0)
        guard count >= step else { return "\(Int(clamping: count)) B" }
        var (value, unit) = (count / step, 0)
        while value >= step, unit < units.count - 1 { (value, unit) = (value / step, unit + 1) }
        return String(format: "%.1f %@", value, units[unit])
    }
}

extension PublishingProgress.Step {
    fileprivate var verb: String {
        switch self {
        case .reading: "read"
        case .writing: "copied"
        case .compressing: "compressed"
        }
    }
}

extension LedgerCopyProgress {
    /// Such as `copied 12000 of 340000 rows, 8200/s, 40 s left`.
    ///
    /// - Parameter elapsed: seconds since the step began.
    func text(after elapsed: TimeInterval) -> String {
        var parts = ["\(step.verb) \(done)\(total.map { " of \($0)" } ?? "") rows"]
        guard elapsed > 0, done > 0 else { return parts[0] }
        let rate = Double(done) / elapsed
        if let whole = Int(exactly: rate.rounded()) { parts.append("\(whole)/s") }
        if let total, let left = Int(exactly: (Double(max(total - done, 0)) / rate).rounded(.up)) {
            parts.append("\(left) s left")
        }
        return parts.joined(separator: ", ")
    }
}

extension LedgerCopyProgress.Step {
    fileprivate var verb: String {
        switch self {
        case .reading: "read"
        case .copying: "copied"
        case .comparing: "compared"
        }
    }
}
