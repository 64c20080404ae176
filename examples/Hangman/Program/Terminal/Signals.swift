#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Hands signals to a thread by a pipe, and puts the terminal back before a crash ends the process.
enum Signals {
    /// Those that the thread handles.
    private static let handled = [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGCONT, SIGWINCH]
    /// Those of a program with a mistake.
    private static let crashes = [SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGABRT, SIGSYS]

    // Written once, before any handler is installed.
    nonisolated(unsafe) private static var writer: Int32 = -1

    /// Returns the end of the pipe that has a byte for each signal, its number; `nil` if there are no pipes left.
    static func open() -> Int32? {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        // A handler must not wait; a full pipe has enough to do anyway.
        _ = fcntl(ends[1], F_SETFL, O_NONBLOCK)
        writer = ends[1]
        for number in handled { handle(number) }
        for number in crashes { signal(number) { Signals.crash($0) } }
        return ends[0]
    }

    private static func handle(_ number: Int32) {
        signal(number) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(Signals.writer, &byte, 1)
            errno = before
        }
    }

    private static func crash(_ number: Int32) {
        TerminalMode.leave()
        signal(number, SIG_DFL)
        raise(number)
    }

    /// Lets signals reach this thread: it was begun by one that leaves them to others.
    static func receive() {
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    /// Has this thread end or stop the process as the signal does where nobody handles it. Returns if it was only
    /// stopped.
    static func obey(_ number: Int32) {
        signal(number, SIG_DFL)
        raise(number)
        handle(number)
    }
}
