import Synchronization

/// Lets so many in at once; the others wait, in the order in which they came.
///
/// All tests are begun at once, and each world has a dozen open files. Beside more than 1,300 of them Foundation's `Process`
/// starts no program: it reads past the end of its list of them. What waits less for others is also done sooner.
final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    static let worlds = Gate(places: 24)

    private let state: Mutex<State>

    init(places: Int) { state = Mutex(State(free: places)) }

    /// Each who enters leaves once.
    func enter() async {
        await withCheckedContinuation { continuation in
            let hasPlace = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if hasPlace { continuation.resume() }
        }
    }

    func leave() {
        let next: CheckedContinuation<Void, Never>? = state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
