import Dispatch

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
