import Dispatch

/// Calls something again and again until it is stopped, also while all threads of tasks are at work.
///
/// Its timer is made, resumed and cancelled here only, and Dispatch lets any thread do so; hence unchecked.
final class Ticker: @unchecked Sendable {
    private let timer: any DispatchSourceTimer

    /// - Parameter seconds: between two calls, and before the first.
    init(every seconds: Int, _ body: @escaping @Sendable () -> Void) {
        timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "ticker"))
        timer.schedule(deadline: .now() + .seconds(seconds), repeating: .seconds(seconds))
        timer.setEventHandler(handler: body)
        timer.resume()
    }

    /// The second time does nothing. A call that has begun may still go on.
    func stop() { timer.cancel() }

    deinit { timer.cancel() }
}
