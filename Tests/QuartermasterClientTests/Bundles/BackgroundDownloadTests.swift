import Foundation
import Synchronization
import TestSupport
import Testing

@testable import QuartermasterClient

/// Downloads that the system goes on with when the app is suspended or has ended, through ``PlayedSession``.
@Suite(.enabled(if: ShopServer.isBuilt), .timeLimit(.minutes(10))) struct BackgroundDownloadTests {
    /// A phone: the app that runs on it, and the system, which stays when the app ends.
    private final class Phone {
        let world: DownloadWorld
        let system: PlayedSession
        let folder: URL
        private(set) var app: BundleDevice

        init(_ world: DownloadWorld, _ system: PlayedSession, folder: URL? = nil) throws {
            self.world = world
            self.system = system
            self.folder = folder ?? world.folder.appending(path: "phone-\(UUID().uuidString)")
            app = try Self.launch(world, system, self.folder)
        }

        private static func launch(
            _ world: DownloadWorld, _ system: PlayedSession, _ folder: URL
        ) throws -> BundleDevice {
            let transport = try BackgroundTransport(session: system, folder: folder.appending(path: "background"))
            return try world.device(in: folder, content: transport)
        }

        /// Ends the app; the system launches it again when there is something to tell.
        func relaunch() async throws {
            system.disconnect()
            await app.store.stop()
            app = try Self.launch(world, system, folder)
            await app.store.removeOldVersions()
            await app.store.resumeUnfinished()
        }

        var isBusy: Bool { phase == .checking || phase == .installing || system.isIdle }

        var phase: DownloadProgress.Phase? { app.store.progress[DownloadWorld.open]?.phase }
    }

    @Test func `The system fetches each file once, whatever happens to the app, the links and the versions`()
        async throws
    {
        try await DownloadWorld.run { world in
            let system = PlayedSession()
            var files = DownloadWorld.files
            for number in campaign(of: 300) {
                var generator = SeededGenerator(seed: number)
                system.reset()
                let phone = try Phone(world, system)
                let before = files
                var changed = number.isMultiple(of: 10)
                var rounds = 0
                while phone.phase != .installed {
                    rounds += 1
                    // Also if the app ended before it had written down what the player wants.
                    if phone.phase == nil { _ = phone.app.store.download(DownloadWorld.open) }
                    try #require(rounds < 2_000, "\(number): \(String(describing: phone.phase))")
                    if changed, !system.isIdle {
                        changed = false
                        files["words.txt"] = DownloadWorld.text(of: 400 + Int(number))
                        try await world.publish("1.0.\(number)", files)
                    }
                    try await Self.round(phone, &generator)
                }
                // Whole, and the newest when its manifest was asked for.
                let installed = try await phone.app.installed()
                #expect(installed == files || installed == before, "\(number)")
                Self.expectEachByteOnce(system, Array(files.values) + Array(before.values), number)
                await phone.app.store.removeOldVersions()
                #expect(phone.app.names(in: "partial") == [])
                await phone.app.store.stop()
                try FileManager.default.removeItem(at: phone.folder)
            }
        }
    }

    /// A moment: the app is ended or not, the player quits it or not, a day passes or not, and each task has its turn.
    private static func round(_ phone: Phone, _ generator: inout SeededGenerator) async throws {
        let system = phone.system
        if case .failed(let error) = phone.phase {
            try #require(error == .offline)
            await phone.app.store.resumeUnfinished()
        }
        switch Int.random(in: 0..<20, using: &generator) {
        case 0: try await phone.relaunch()
        case 1:
            system.quit()
            try await phone.relaunch()
        case 2: system.passDay()
        case 3:
            // Suspended: what happens meanwhile is told to the next launch.
            system.disconnect()
            for _ in 0..<3 { await system.turn { _ in manner(&generator) } }
            try await phone.relaunch()
        default: break
        }
        await system.turn { _ in manner(&generator) }
        system.deliver()
        // Now and then the app is in the middle of something when it ends.
        for _ in 0..<Int.random(in: 1...100, using: &generator) where phone.isBusy {
            try await Task.sleep(for: .milliseconds(1))
        }
    }

    private static func manner(_ generator: inout SeededGenerator) -> PlayedSession.Manner {
        PlayedSession.Manner.allCases.randomElement(using: &generator) ?? .goesOn
    }

    /// Nothing is fetched twice but what a task had when it was lost, and a file loses a task once.
    private static func expectEachByteOnce(_ system: PlayedSession, _ files: [Data], _ number: UInt64) {
        let sizes = Dictionary(
            files.map { (ContentHash(of: $0).text, $0.count) }, uniquingKeysWith: { first, _ in first })
        let lost = system.lost
        for (content, bytes) in system.fetched {
            guard let size = sizes[content] else { continue }
            #expect(bytes <= size + (lost[content] ?? []).reduce(0, +), "\(number): \(content) of \(size)")
        }
    }
}
