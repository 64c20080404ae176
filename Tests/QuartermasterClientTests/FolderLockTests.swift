import Foundation
import Testing

@testable import QuartermasterClient

/// A folder is one shop's at a time. HangmanGameTests has two processes.
@Suite struct FolderLockTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "qm-lock-\(UUID().uuidString)")

    private func shop() throws -> Quartermaster {
        let nowhere = try #require(URL(string: "http://127.0.0.1:9"))
        return try Quartermaster(
            Quartermaster.Configuration(server: nowhere, bundleID: ShopServer.app, folder: folder),
            source: SimulatorSource(nowhere, bundleID: ShopServer.app, customer: "ada", device: UUID()),
            credentials: FileCredentials(folder.appending(path: "account.json")))
    }

    @Test func oneShopAFolder() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let first = try shop()
        for _ in 0..<2 { #expect(throws: FolderInUse.self) { try shop() } }
        await first.stop()
        let second = try shop()
        // It has nothing any more that it could give free.
        await first.stop()
        #expect(throws: FolderInUse.self) { try shop() }
        await second.stop()
        // A value that is gone has no lock, whether it was stopped or not.
        _ = try shop()
        await (try shop()).stop()
    }

    /// As a process has one that is being started by another thread.
    @Test func aCopyOfTheOpenFileHoldsNoLock() throws {
        defer { try? FileManager.default.removeItem(at: folder) }
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
