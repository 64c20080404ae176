import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

/// An app that pins a root stays in the field for years, and its server changes its keys.
@Suite(.enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(15))) struct KeyRotationTests {
    private static let quarter = 91

    @Test func `An app that pinned the root on the first day downloads for two years`()
        async throws
    {
        let server = try await ShopServer(settings: ["QUARTERMASTER_MANIFEST_KEY_DAYS": "\(Self.quarter)"])
        try await server.start()
        let root = try await server.signKeys()
        try await server.restart()
        var setup = Device.Setup()
        setup.rootKeys = [root]
        let (present, absent) = (Device.newFolder(), Device.newFolder())
        var signers: Set<String> = []
        for number in 0...8 {
            if number > 0 {
                try await server.advance(days: Self.quarter)
                // It creates the next key when it starts, and signs by the list that the root signed.
                try await server.restart()
                #expect(try await server.signKeys() == root)
                try await server.restart()
            }
            let isBack = number == 0 || number % 4 == 0
            for folder in [present] + (isBack ? [absent] : []) {
                let phone = try await Device(server, customer: "ada", folder: folder, setup)
                try await Self.expectDownload(phone, number)
                await phone.quit()
            }
            signers.insert(try Self.signer(of: present))
        }
        #expect(signers.count >= 7, "a new one each quarter: \(signers.count)")
        // An app with another root gets nothing.
        setup.rootKeys = [TestSigner().x]
        let phone = try await Device(server, customer: "eve", folder: Device.newFolder(), setup)
        var last: DownloadProgress?
        for await progress in phone.shop.download("open-words") { last = progress }
        #expect(last?.phase == .failed(.signature))
        await phone.quit()
        try await server.end()
    }

    /// The ID of the key that signed what the device has.
    private static func signer(of folder: URL) throws -> String {
        let text = try String(contentsOf: folder.appending(path: "entitlements.json"), encoding: .utf8)
        let signed = try #require(text.firstMatch(of: /"signed":"([^"]+)"/)).1
        return try #require(SignedMessage(String(signed))).keyID
    }

    private static func expectDownload(_ phone: Device, _ quarter: Int) async throws {
        if quarter == 0 { #expect(try await phone.shop.buy("words") == .delivered) }
        await phone.shop.remove("open-words")
        var last: DownloadProgress?
        for await progress in phone.shop.download("open-words") { last = progress }
        #expect(last?.phase == .installed, "quarter \(quarter): \(last?.phase as Any)")
        try await phone.waits(for: "the server's word") { $0.isOnline && $0.hasAccess(to: "words") }
        #expect(await phone.shop.state.entitlementRefusal == nil)
    }
}
