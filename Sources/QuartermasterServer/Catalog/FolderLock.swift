import Foundation
import NIOPosix
import SystemPackage

/// One editor at a time in all processes of the machine: `flock(2)` on the folder, which leaves no file behind that
/// belongs to whoever came first. The system releases it when its holder dies.
enum FolderLock {
    /// An edit takes milliseconds; who holds the lock for longer hangs.
    static let patience = Duration.seconds(5)
    private static let pause = Duration.milliseconds(20)

    /// - Throws: ``CatalogRefusal/busy``, ``CatalogRefusal/notWritable(_:)``, and what `body` throws.
    static func whileHeld<Value>(
        on folder: FilePath, patience: Duration = patience, _ body: () async throws -> Value
    ) async throws -> Value {
        let descriptor = try await open(folder)
        defer { try? descriptor.close() }
        var waited = Duration.zero
        while flock(descriptor.rawValue, LOCK_EX | LOCK_NB) != 0 {
            let error = Errno(rawValue: errno)
            guard error == .wouldBlock || error == .interrupted else {
                throw CatalogRefusal.notWritable("the folder of the catalog cannot be locked: \(error)")
            }
            guard waited < patience else { throw CatalogRefusal.busy }
            try await Task.sleep(for: pause)
            waited += pause
        }
        return try await body()
    }

    private static func open(_ folder: FilePath) async throws -> FileDescriptor {
        do {
            return try await NIOThreadPool.singleton.runIfActive {
                try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec])
            }
        } catch let error as Errno {
            throw CatalogRefusal.notWritable("the folder of the catalog cannot be opened: \(error)")
        }
    }
}
