import Foundation
import Synchronization

/// Standard error, unbuffered. The output of several threads is not interleaved.
struct StandardErrorStream: TextOutputStream, Sendable {
    private static let lock = Mutex(())

    func write(_ text: String) {
        var bytes = Array(text.utf8)[...]
        Self.lock.withLock { _ in
            while !bytes.isEmpty {
                let count = bytes.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
                // A log that cannot be written must not stop the server.
                guard count > 0 || (count < 0 && errno == EINTR) else { return }
                bytes = bytes.dropFirst(max(0, count))
            }
        }
    }
}
