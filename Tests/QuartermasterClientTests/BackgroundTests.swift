import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

@Suite(
    "The app in the background, and its widgets", .enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10)))
struct BackgroundTests {
    private static func post(_ name: String, to setup: Device.Setup) {
        setup.notifications.post(name: Notification.Name(name), object: nil)
    }

    private static let toBackground = "UIApplicationDidEnterBackgroundNotification"
    private static let toForeground = "UIApplicationWillEnterForegroundNotification"

    /// Whether somebody has the folder's lock.
    private static func isLocked(_ folder: URL) throws -> Bool {
        do {
            try FolderLock(folder).release()
            return false
        } catch is FolderInUse {
            return true
        }
    }

    @Test func `An app that comes to the foreground asks what is new, without a call of its own`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let proxy = try await DownloadProxy.start(upstream: server.url)
        var setup = Device.Setup()
        setup.address = proxy.url
        let folder = Device.newFolder()
        let phone = try await Device(server, customer: "ada", folder: folder, setup)
        try await phone.waits(for: "a refresh") { $0.isOnline }
        await phone.shop.resume()
        let before = proxy.exchanges.count
        // Not in an App Group: it goes on in the background.
        Self.post(Self.toBackground, to: setup)
        try await Task.sleep(for: .milliseconds(300))
        #expect(try Self.isLocked(folder))
        #expect(proxy.exchanges.count == before)
        Self.post(Self.toForeground, to: setup)
        try await eventually("it asks") { proxy.exchanges.count > before }
        await phone.quit()
        try await proxy.stop()
        try await server.end()
    }

    @Test func `In an App Group the folder is free while the app is in the background, and read again after`()
        async throws
    {
        let server = try await ShopServer()
        try await server.start()
        let folder = Device.newFolder().appending(path: "Shared/AppGroup/Shop")
        let setup = Device.Setup()
        let phone = try await Device(server, customer: "ada", folder: folder, setup)
        #expect(try await phone.shop.buy("hints") == .delivered)
        #expect(try Self.isLocked(folder))
        Self.post(Self.toBackground, to: setup)
        try await eventually("the folder is free") { try !Self.isLocked(folder) }
        await #expect(throws: ConnectionError.notConnected) { try await phone.shop.refresh() }

        // Another process of the app.
        let other = try await Device(server, customer: "ada", folder: folder)
        #expect(try await other.shop.buy("words") == .delivered)
        // As long as it has the folder, the app leaves it alone.
        Self.post(Self.toForeground, to: setup)
        try await Task.sleep(for: .milliseconds(300))
        await #expect(throws: ConnectionError.notConnected) { try await phone.shop.refresh() }
        #expect(await !phone.shop.state.hasAccess(to: "words"))
        await other.quit()
        try await server.kill()

        Self.post(Self.toForeground, to: setup)
        try await phone.waits(for: "what the other bought, without the server") { $0.hasAccess(to: "words") }
        #expect(try Self.isLocked(folder))
        await phone.quit()
        try await server.end()
    }

    @Test func `A widget reads what the app knows, without its lock and without writing`() async throws {
        let server = try await ShopServer()
        try await server.start()
        let folder = Device.newFolder().appending(path: "Shared/AppGroup/Shop")
        #expect(try ShopSnapshot(folder: folder).balances.isEmpty)
        let phone = try await Device(server, customer: "ada", folder: folder)
        try await phone.waits(for: "the products") { $0.isOnline && !$0.products.isEmpty }
        #expect(try ShopSnapshot(folder: folder).balances == ["hints": 20])
        #expect(try await phone.shop.buy("words") == .delivered)
        #expect(try await phone.shop.buy("night") == .delivered)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        let now = try ShopSnapshot(folder: folder)
        #expect(now.hasAccess(to: "words") && now.hasAccess(to: "night") && !now.hasAccess(to: "club"))
        #expect(now.checkedAt != nil)
        let later = try ShopSnapshot(folder: folder, now: Date() + 62 * 86_400)
        #expect(later.hasAccess(to: "words") && !later.hasAccess(to: "night"))
        await phone.quit()

        // What cannot be read is an error, and stays where it is.
        let file = folder.appending(path: "entitlements.json")
        try Data(#"{"format": 9, "value": 1}"#.utf8).write(to: file)
        #expect(throws: NewerFileError.self) { try ShopSnapshot(folder: folder) }
        try Data("[".utf8).write(to: file)
        #expect(throws: DecodingError.self) { try ShopSnapshot(folder: folder) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == files)
        try await server.end()
    }
}
