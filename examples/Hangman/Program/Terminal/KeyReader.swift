import HangmanGame

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Waits for keys and signals. Without them it does not wake up.
struct KeyReader {
    private let signals: Int32
    private let receive: (Terminal.Event) -> Void
    private var decoder = KeyDecoder()

    init(signals: Int32, receive: @escaping (Terminal.Event) -> Void) {
        self.signals = signals
        self.receive = receive
    }

    mutating func run() {
        Signals.receive()
        while true {
            var keys = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
            var numbers = pollfd(fd: signals, events: Int16(POLLIN), revents: 0)
            let ready = wait(&keys, &numbers)
            if ready == 0 { send(decoder.flush()) }
            if ready < 0, errno != EINTR { return receive(.end) }
            guard ready > 0 else { continue }
            if numbers.revents != 0 { read(signals).forEach { obey(Int32($0)) } }
            guard keys.revents != 0 else { continue }
            let bytes = read(STDIN_FILENO)
            guard !bytes.isEmpty else { return receive(.end) }
            send(decoder.decode(bytes))
        }
    }

    private func wait(_ keys: inout pollfd, _ numbers: inout pollfd) -> Int32 {
        var both = [keys, numbers]
        let ready = poll(&both, nfds_t(both.count), decoder.isWaiting ? KeyDecoder.timeout : -1)
        (keys, numbers) = (both[0], both[1])
        return ready
    }

    private func read(_ descriptor: Int32) -> ArraySlice<UInt8> {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var count = -1
        repeat {
            #if canImport(Glibc)
                count = Glibc.read(descriptor, &bytes, bytes.count)
            #elseif canImport(Musl)
                count = Musl.read(descriptor, &bytes, bytes.count)
            #else
                count = Darwin.read(descriptor, &bytes, bytes.count)
            #endif
        } while count < 0 && errno == EINTR
        return bytes.prefix(max(0, count))
    }

    private func send(_ keys: [Key]) {
        for key in keys { receive(.key(key)) }
    }

    private func obey(_ signal: Int32) {
        switch signal {
        case SIGWINCH: receive(.redraw(Terminal.size))
        case SIGCONT:
            // The shell had the terminal in its own mode meanwhile.
            TerminalMode.alone { TerminalMode.enter() }
            receive(.redraw(Terminal.size))
        default:
            // Only if it was stopped, it comes back.
            TerminalMode.alone {
                TerminalMode.leave()
                Signals.obey(signal)
                TerminalMode.enter()
            }
            receive(.redraw(Terminal.size))
        }
    }
}
