import Content
import Dispatch
import Foundation
import LedgerSQL
import ServerCore
import ServerHTTP
import Synchronization

/// Shows the progress of a long operation on one line of a terminal, which is overwritten.
///
/// The line is updated every second even if a step reports nothing, with the time that the step has taken.
final class ProgressLine: Sendable {
    /// The minimum time between two updates, in seconds. Nobody reads faster, and a slow terminal does not fall behind.
    static let interval: TimeInterval = 0.1
    /// In seconds. A program whose output does not change for longer looks dead.
    static let maximumSilence = 1

    private struct State {
        /// The current step; `nil` before the first one and after the end.
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

    /// A line on standard error that is updated by a timer until ``clear()``; `nil` if standard error is no terminal.
    static func onTerminal(clock: @escaping @Sendable () -> Date) -> ProgressLine? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let line = ProgressLine(output: .standardError, clock: clock)
        line.state.withLock { $0.ticker = Ticker(every: maximumSilence) { [weak line] in line?.tick() } }
        return line
    }

    func show(_ progress: PublishingProgress) { show(progress.step.verb) { progress.text(after: $0) } }

    func show(_ progress: LedgerCopyProgress) { show(progress.step.verb) { progress.text(after: $0) } }

    func show(_ progress: CommandProgress) { show(progress.verb) { progress.text(after: $0) } }

    /// Begins a step that cannot report its progress.
    func begin(_ step: String) { show(step) { _ in step } }

    /// Shows the last text again with the time it has taken. Called by a timer; does nothing between steps.
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

    /// Clears the line until the next update, and runs `body`, which may write another line.
    func interrupt(_ body: () throws -> Void) rethrows {
        try state.withLock { _ in
            put("")
            try body()
        }
    }

    /// Clears the line and stops the timer.
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

    /// Writes the text, and clears the rest of the line (ECMA-48 EL). Progress that cannot be shown is not worth a
    /// failure.
    private func put(_ text: String) { try? output.write(contentsOf: Data("\r\(text)\u{1B}[K".utf8)) }
}

extension PublishingProgress {
    /// The progress as text, such as `copied 12.5 MB of 40.0 MB, 8.2 MB/s, 4 s left`.
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
    /// The progress as text, such as `copied 12000 of 340000 rows, 8200/s, 40 s left`.
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

/// Calls a closure periodically until it is stopped, even if all threads of the cooperative pool are busy.
///
/// Unchecked because the timer is created, resumed and cancelled here only, which Dispatch allows from any thread.
final class Ticker: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameter seconds: the time between two calls, and before the first.
    init(every seconds: Int, _ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticker"))
        timer.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    /// Stops the timer; a second call does nothing. A call of the closure that has begun may still be running.
    func stop() { timer.cancel() }

    deinit { timer.cancel() }
}
