import Dispatch
import Foundation
package import SystemPackage

/// An advisory lock across all processes of the machine: `flock(2)` on a folder, which leaves no lock file behind. The
/// system releases it when its holder dies.
package enum FolderLock {
    package enum Unavailable: Error, Hashable, Sendable {
        /// Others held the lock for longer than the timeout.
        case busy
        /// The folder cannot be opened or locked.
        case unusable(Errno)
    }

    package enum Mode: Sendable {
        /// Excludes all other holders.
        case exclusive
        /// Admits other shared holders.
        case shared

        fileprivate var operation: CInt { (self == .exclusive ? LOCK_EX : LOCK_SH) | LOCK_NB }
    }

    /// How long to wait. An edit takes milliseconds; a longer holder hangs, or publishes something large.
    package static let timeout = Duration.seconds(5)
    private static let pause = Duration.milliseconds(20)

    /// Runs `body` while it holds the lock.
    ///
    /// - Throws: ``Unavailable``, and what `body` throws.
    package static func whileHeld<Value>(
        on folder: FilePath, _ mode: Mode = .exclusive, timeout: Duration = timeout, _ body: () async throws -> Value
    ) async throws -> Value {
        let descriptor = try await open(folder)
        defer { try? descriptor.close() }
        var waited = Duration.zero
        while flock(descriptor.rawValue, mode.operation) != 0 {
            let error = Errno(rawValue: errno)
            guard error == .wouldBlock || error == .interrupted else { throw Unavailable.unusable(error) }
            guard waited < timeout else { throw Unavailable.busy }
            try await Task.sleep(for: pause)
            waited += pause
        }
        return try await body()
    }

    private static func open(_ folder: FilePath) async throws -> FileDescriptor {
        do {
            return try await DispatchQueue.global().result {
                try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec])
            }
        } catch let error as Errno {
            throw Unavailable.unusable(error)
        }
    }
}
