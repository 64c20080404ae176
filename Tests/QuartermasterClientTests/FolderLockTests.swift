import Foundation
import Testing

@testable import QuartermasterClient

/// A folder belongs to one shop at a time. HangmanGameTests tests it with two processes.
@Suite struct FolderLockTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "qm-lock-\(UUID().uuidString)")

    private func shop() async throws -> Quartermaster {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        return try await Quartermaster.open(
            Quartermaster.Configuration(server: nowhere, bundleID: ShopServer.app, folder: folder),
            source: SimulatorSource(nowhere, bundleID: ShopServer.app, customer: "ada", device: UUID()),
            credentials: FileCredentials(folder.appending(path: "account.json")))
    }

    @Test func `A folder is used by one shop at a time`() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try await shop()
        for _ in 0..<2 { await #expect(throws: FolderInUse.self) { try await shop() } }
        await first.stop()
        let second = try await shop()
        // It has no lock any more that it could release.
        await first.stop()
        await #expect(throws: FolderInUse.self) { try await shop() }
        await second.stop()
        // A shop that is gone holds no lock, whether it was stopped or not.
        _ = try await shop()
        await (try await shop()).stop()
    }

    /// A process that another thread is starting has such a copy.
    @Test func `A copy of the open lock file does not hold the lock`() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for isReleased in [true, false] {
            var lock: FolderLock? = try FolderLock(folder)
            let copy = dup(try #require(lock?.descriptor))
            defer { close(copy) }
            #expect(throws: FolderInUse.self) { try FolderLock(folder) }
            if isReleased { lock?.release() }
            lock = nil
            try FolderLock(folder).release()
        }
    }
}
