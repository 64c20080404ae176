import Content
import Foundation
import LedgerSQL
import Synchronization

/// How far something is that takes a while, on one line of a terminal that is written over and over.
///
/// Also where a step says nothing for long, the line moves every second: it tells how long the step has gone on.
final class ProgressLine: Sendable {
    /// Nobody reads faster, and a terminal over a slow line does not fall behind.
    static let interval: TimeInterval = 0.1
    /// Whoever sees nothing move for longer takes it for dead. In seconds.
    static let maximumSilence = 1

    private struct State {
        /// What is done now; nil before the first step and after the end.
        var step: String?
        var text: @Sendable (TimeInterval) -> String = { _ in "" }
        var begun = Date.distantPast
        var shown = Date.distantPast
        var ticker: Ticker?
    }

    private let output: FileHandle
    private let clock: @Sendable () -> Date
    private let state = Mutex(State())

    init(output: FileHandle, clock: @escaping @Sendable () -> Date) {
        self.output = output
        self.clock = clock
    }

    /// On standard error, moving by itself until ``clear()``; nil where that is piped.
    static func onTerminal(clock: @escaping @Sendable () -> Date) -> ProgressLine? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let line = ProgressLine(output: .standardError, clock: clock)
        line.state.withLock { $0.ticker = Ticker(every: maximumSilence) { [weak line] in line?.tick() } }
        return line
    }

    func show(_ progress: PublishingProgress) { show(progress.step.verb) { progress.text(after: $0) } }

    func show(_ progress: LedgerCopyProgress) { show(progress.step.verb) { progress.text(after: $0) } }

    func show(_ progress: CommandProgress) { show(progress.verb) { progress.text(after: $0) } }

    /// Begins a step that cannot tell how far it is.
    func begin(_ step: String) { show(step) { _ in step } }

    /// Says again what was said last, and for how long it has been done. Called by a timer; does nothing between steps.
    func tick() {
        let now = clock()
        state.withLock { state in
            if state.step != nil { write(&state, at: now) }
        }
    }

    private func show(_ step: String, _ text: @escaping @Sendable (TimeInterval) -> String) {
        let now = clock()
        state.withLock { state in
            if state.step != step { (state.step, state.begun, state.shown) = (step, now, .distantPast) }
            state.text = text
            guard now.timeIntervalSince(state.shown) >= Self.interval else { return }
            write(&state, at: now)
        }
    }

    /// Leaves the line empty until the next word of progress, for a line of another kind.
    func interrupt(_ body: () throws -> Void) rethrows {
        try state.withLock { _ in
            put("")
            try body()
        }
    }

    /// Leaves the line empty, for ever: nothing moves by itself any more.
    func clear() {
        state.withLock { state in
            state.ticker?.stop()
            (state.ticker, state.step) = (nil, nil)
            put("")
        }
    }

    private func write(_ state: inout State, at now: Date) {
        state.shown = now
        let elapsed = now.timeIntervalSince(state.begun)
        let seconds = Int(clamping: elapsed)
        put(state.text(elapsed) + (seconds > 0 ? " (\(seconds) s)" : ""))
    }

    /// ECMA-48 EL: clears to the end of the line. What cannot be shown is not worth a failure.
    private func put(_ text: String) { try? output.write(contentsOf: Data("\r\(text)\u{1B}[K".utf8)) }
}

extension PublishingProgress {
    /// Such as `copied 12.5 MB of 40.0 MB, 8.2 MB/s, 4 s left`.
    ///
    /// - Parameter elapsed: seconds since the step began.
    func text(after elapsed: TimeInterval) -> String {
        CommandProgress(verb: step.verb, unit: .bytes, done: done, total: total).text(after: elapsed)
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
        CommandProgress(verb: step.verb, unit: .things("rows"), done: done, total: total).text(after: elapsed)
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
