import Content
import Foundation
import HTTPTypes
import InAppPurchase
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import QuartermasterServer
@testable import ServerCore

/// A published version in a folder, whose files somebody changes by hand.
@Suite struct ChangedVersionTests {
    /// So long after the files were written that nobody copies them any more.
    private static var later: Date { Date() + 600 }

    private static func published(_ world: World) async throws -> [String: String] {
        let manifests = try await PublicationDates.published(in: world.ledger)
        return Dictionary(uniqueKeysWithValues: manifests.map { ("\($0.bundle) \($0.version)", $0.files[0].sha256) })
    }

    @Test func `A changed file of a published version is an alarm, and is not sent`() async throws {
        try await ContentFolder.serve("1.0.0") { world, content in
            let watcher = try #require(world.assembly.services.compactMap { $0 as? CatalogWatcher }.first)
            let file = content.folder.appending(path: "hard-words/1.0.0/words.txt")
            let (player, bytes) = (try await world.buyer(of: "hardwords"), try Data(contentsOf: file))
            let files = { try await world.manifest(of: "hard-words", as: player).json["files"] }
            func member(_ name: String) async throws -> JSONValue {
                .array(try await files().array.map { $0[name] })
            }
            let (sha256, link) = (try await member("sha256"), try #require(try await files()[0]["url"].text))
            #expect(try await world.alarm(.contentRejected)["level"] == "good")
            let before = try await Self.published(world)
            #expect(before.keys.sorted() == ["hard-words 1.0.0", "ios-words 1.0.0", "night-theme 1.0.0"])

            try Data("other".utf8).write(to: file)
            #expect(await watcher.content.refresh(at: Self.later).changed.isEmpty)
            #expect(try await member("sha256") == sha256)
            let refused = try await world.call(.get, try #require(try await files()[0]["url"].text))
            #expect(refused.status == 503 && refused.json["code"] == "storage_unavailable", "\(refused)")
            #expect(refused.headers[.retryAfter] == "10")
            let alarm = try await world.alarm(.contentRejected)
            #expect(alarm["level"] == "bad" && alarm["count"] == 1, "\(alarm)")
            #expect(alarm["detail"].text?.hasPrefix("\(file.path): is not what was published; ") == true, "\(alarm)")

            // So does a server that starts now.
            _ = await watcher.content.refresh(at: Self.later)
            try await world.assembly.services.compactMap { $0 as? PublicationDates }.first?.record()
            #expect(try await Self.published(world) == before)
            let restarted = try await FolderRepository(
                path: content.folder.path, published: PublicationDates.published(in: world.ledger), at: Self.later)
            #expect(restarted.problems.map(\.reason) == [.changedSincePublished])

            try bytes.write(to: file)
            #expect(await watcher.content.refresh(at: Self.later).problems.isEmpty)
            #expect(try await world.call(.get, link).status == 200)
            #expect(try await world.alarm(.contentRejected)["level"] == "good")
        }
    }

    /// Somebody deleted it, or published it so that only another user can read it.
    @Test func `A sold bundle that is gone is an alarm until it is back, and no server starts`() async throws {
        try await ContentFolder.serve("1.0.0") { world, content in
            let (bundle, away) = (content.folder.appending(path: "hard-words"), content.folder.path + "-away")
            #expect(try await world.alarm(.contentMissing)["level"] == "good")
            try FileManager.default.moveItem(atPath: bundle.path, toPath: away)
            try await content.reload(in: world)
            let alarm = try await world.alarm(.contentMissing)
            #expect(alarm["level"] == "bad" && alarm["count"].number ?? 0 > 0, "\(alarm)")
            #expect(alarm["detail"].text?.contains("hard-words of \(World.app).hardwords") == true, "\(alarm)")
            #expect(alarm["remedy"].text == Alarm.Kind.contentMissing.remedy)
            #expect(try await world.scrapeAlarm(.contentMissing).first == "2")
            let served = world.assembly.routes.services.decisions.live.current
            let error = #expect(throws: CatalogError.self) {
                try CatalogFile(served.bytes, bundles: watchedBundles(world), handlers: Server.standardHandlers)
            }
            #expect(error?.description.hasSuffix("there is no bundle \"hard-words\"") == true)

            try FileManager.default.moveItem(atPath: away, toPath: bundle.path)
            try await content.reload(in: world)
            #expect(try await world.alarm(.contentMissing)["level"] == "good")
            #expect(try await world.scrapeAlarm(.contentMissing).first == "0")
        }
    }

    private func watchedBundles(_ world: World) -> [BundleName] { world.assembly.routes.services.content.bundles() }

    @Test func `The files of a version are recorded until its folder is removed`() async throws {
        try await ContentFolder.serve("1.0.0", "1.1.0") { world, content in
            #expect(try await Self.published(world).count == 4)
            try FileManager.default.removeItem(at: content.folder.appending(path: "hard-words/1.0.0"))
            try await content.reload(in: world)
            let left = try await Self.published(world)
            #expect(left.keys.sorted() == ["hard-words 1.1.0", "ios-words 1.0.0", "night-theme 1.0.0"])
            // Changed while it may still be copied: the last files count.
            try Data("other".utf8).write(to: content.folder.appending(path: "hard-words/1.1.0/words.txt"))
            let watcher = try #require(world.assembly.services.compactMap { $0 as? CatalogWatcher }.first)
            #expect(await watcher.content.refresh(at: Date()).changed.map(\.description) == ["hard-words 1.1.0"])
            try await world.assembly.services.compactMap { $0 as? PublicationDates }.first?.record()
            #expect(try await Self.published(world)["hard-words 1.1.0"] == World.sha256("other"))
        }
    }

    /// Changed files when a server starts, and a version that may still be copied.
    @Test func `A changed version is not logged as published`() {
        let log = LogRecorder()
        var changes = ContentChanges(problems: [ContentError("a/1.0.0/b", .removedSincePublished)])
        changes.changed = [ContentChanges.Version(bundle: "words", version: "1.0.0")]
        changes.log(log.logger(.warning))
        #expect(
            log.lines == [
                "content changed version=words 1.0.0",
                "content rejected problem=a/1.0.0/b: was published and is not there; put it back",
            ])
    }
}
