import Foundation

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The mode of the terminal, which belongs to the whole process: raw while the game is on the screen, and as it was
/// before on every way out. Only ``leave()`` may be called from a signal handler; elsewhere all is done ``alone(_:)``.
enum TerminalMode {
    // Another screen, no cursor, and pasted text marked as such.
    private static let enterSequence: StaticString = "\u{1B}[?1049h\u{1B}[?25l\u{1B}[?2004h\u{1B}[2J"
    private static let leaveSequence: StaticString = "\u{1B}[?2026l\u{1B}[?2004l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    // Written once, before any handler is installed and any thread started; then only `isEntered` changes, which is a
    // byte: at worst the terminal is put back twice.
    nonisolated(unsafe) private static var original = termios()
    nonisolated(unsafe) private static var raw = termios()
    nonisolated(unsafe) private static var isEntered = false

    /// Remembers the mode. Returns whether there is a terminal for both input and output.
    static func remember() -> Bool {
        guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1, tcgetattr(STDIN_FILENO, &original) == 0 else {
            return false
        }
        raw = original
        cfmakeraw(&raw)
        return true
    }

    /// One thread draws, enters or leaves at a time: what is drawn after the terminal was left stays on the shell's
    /// screen.
    private static let turn = NSLock()
    /// A thread that draws on a terminal that takes nothing does not keep another from ending the process.
    private static let patience: TimeInterval = 0.5

    /// Does the work while no other thread draws, enters or leaves.
    static func alone(_ work: () -> Void) {
        let isLocked = turn.lock(before: Date(timeIntervalSinceNow: patience))
        work()
        if isLocked { turn.unlock() }
    }

    /// Writes all of it, unless the terminal was left.
    static func draw(_ bytes: String) {
        guard isEntered else { return }
        var rest = Array(bytes.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    static func enter() {
        isEntered = true
        tcsetattr(STDIN_FILENO, TCSANOW, &raw)
        send(enterSequence)
    }

    /// Puts everything back. The second time nothing happens.
    static func leave() {
        guard isEntered else { return }
        isEntered = false
        send(leaveSequence)
        // What was typed meanwhile is not for the shell.
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &original)
    }

    private static func send(_ sequence: StaticString) {
        _ = write(STDOUT_FILENO, sequence.utf8Start, sequence.utf8CodeUnitCount)
    }
}
