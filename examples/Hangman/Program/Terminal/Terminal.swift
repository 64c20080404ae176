import Foundation
import HangmanGame

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The terminal: keys and sizes in, frames out. A thread of its own waits for keys, since reading a terminal blocks.
struct Terminal: Sendable {
    /// Something that comes from it.
    enum Event: Sendable {
        case key(Key)
        /// It has another size, or was used by another program: draw everything.
        case redraw(Size)
        /// Nothing more will come.
        case end
    }

    private let signals: Int32

    /// `nil` if standard input and output are not both a terminal.
    init?() {
        guard TerminalMode.remember(), let signals = Signals.open() else { return nil }
        self.signals = signals
        atexit { TerminalMode.leave() }
    }

    /// Begins to read. Call it once.
    ///
    /// - Parameter receive: called on the reading thread.
    func open(_ receive: @escaping @Sendable (Event) -> Void) {
        TerminalMode.alone { TerminalMode.enter() }
        Thread.detachNewThread {
            var reader = KeyReader(signals: signals, receive: receive)
            reader.run()
        }
    }

    /// Puts the terminal back as it was.
    func close() {
        TerminalMode.alone { TerminalMode.leave() }
    }

    /// Has the reading thread stop the process, as Ctrl-Z does in other programs.
    func suspend() {
        kill(getpid(), SIGTSTP)
    }

    func draw(_ bytes: String) {
        TerminalMode.alone { TerminalMode.draw(bytes) }
    }

    static var size: Size {
        var window = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 else { return .standard }
        return Size(reported: Int(window.ws_col), Int(window.ws_row))
    }
}
