import Foundation
import InAppPurchase
import Ledger
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// The properties of content wherever it is stored.
@Suite(.enabled(if: ObjectStoreServer.isInstalled, "scripts/object-store/tools.sh installs it"))
struct ContentPlaceTests {
    enum Kind: CaseIterable, Sendable {
        case folder
        case bucket

        func store() async throws -> TestStore {
            try TestStore(in: self == .bucket ? try await TestStore.bucket() : nil)
        }
    }

    private static let old = ["a/one.txt": "one", "two.txt": "two", "empty.txt": ""]
    private static let new = ["a/one.txt": "one", "two.txt": "2"]

    @Test(arguments: Kind.allCases)
    func `A published version is served, in a folder and in a bucket`(_ kind: Kind) async throws {
        let store = try await kind.store()
        #expect(try await store.newestVersion() == nil)
        #expect(try await store.publish("1.0.0", Self.old).isChanged)
        #expect(try await store.texts("1.0.0") == Self.old)
        #expect(try await store.publish("1.1.0", Self.new).isChanged)
        #expect(try await store.texts() == Self.new)
        #expect(try await store.texts("1.0.0") == Self.old)
        let again = try await store.publish("1.1.0", Self.new)
        #expect(!again.isChanged && again.record.publishedAt == TestStore.date)
        #expect(try await store.trail().map(\.kind) == ["bundle.published", "bundle.published"])
        let content = try await store.open()
        let manifest = try #require(try await content.manifest(of: "words", version: nil))
        #expect(manifest.previousVersions == [SemanticVersion("1.0.0")])
        #expect(content.bundles() == ["words"])
        #expect(try await content.location(of: TestStore.sha256("no file")) == nil)
        #expect(try await content.manifest(of: "others", version: nil) == nil)
    }

    @Test(arguments: Kind.allCases)
    func `A version number cannot be used for other files, nor below the newest`(_ kind: Kind) async throws {
        let store = try await kind.store()
        try await store.publish("1.1.0", Self.old)
        await #expect(throws: PublishRefusal.otherVersion(.published)) { try await store.publish("1.1.0", Self.new) }
        let newest = try #require(SemanticVersion("1.1.0"))
        await #expect(throws: PublishRefusal.notNewer(than: newest)) { try await store.publish("1.0.0", Self.new) }
        await #expect(throws: PublishRefusal.noPatch) { try await store.publish("1.0.1", Self.new, isPatch: true) }
        #expect(try await store.texts() == Self.old)
        #expect(try await store.trail().count == 1)
    }

    @Test(arguments: Kind.allCases)
    func `A version is stored with its languages, and whether it is essential`(_ kind: Kind) async throws {
        let store = try await kind.store()
        let source = try store.source(Self.new)
        let versions: [(isEssential: Bool, languages: [String])] = [
            (false, []), (true, ["en", "pt-BR"]), (true, []), (false, ["de"]),
        ]
        for (number, version) in versions.enumerated() {
            var plan = try store.plan("1.\(number).0")
            (plan.isEssential, plan.languages) = version
            #expect(try await store.publisher.publish(source, as: plan, TestStore.act).isChanged)
            #expect(try await !store.publisher.publish(source, as: plan, TestStore.act).isChanged)
            for other in [(!version.isEssential, version.languages), (version.isEssential, ["fr"])] {
                (plan.isEssential, plan.languages) = other
                await #expect(throws: PublishRefusal.otherVersion(.published)) {
                    try await store.publisher.publish(source, as: plan, TestStore.act)
                }
            }
        }
        let stored = try await store.open().records(of: "words").map(\.manifest)
        #expect(stored.map(\.isEssential) == versions.map(\.isEssential))
        #expect(stored.map(\.languages) == versions.map(\.languages))
    }

    @Test(arguments: Kind.allCases) func `A version is yanked and restored`(_ kind: Kind) async throws {
        let store = try await kind.store()
        try await store.publish("1.0.0", Self.old)
        try await store.publish("1.1.0", Self.new)
        let version = try #require(SemanticVersion("1.1.0"))
        for isChanged in [true, false] {
            #expect(try await store.publisher.yank(version, of: "words", TestStore.act).isChanged == isChanged)
        }
        #expect(try await store.newestVersion() == "1.0.0")
        #expect(try await store.texts("1.1.0") == Self.new)
        await #expect(throws: PublishRefusal.state(.yanked)) { try await store.publish("1.1.0", Self.new) }
        await #expect(throws: PublishRefusal.state(.yanked)) {
            try await store.publisher.promote(version, of: "words", TestStore.act)
        }
        #expect(try await store.publisher.restore(version, of: "words", TestStore.act).isChanged)
        #expect(try await store.publisher.promote(version, of: "words", TestStore.act).record.channel == .stable)
        #expect(try await store.newestVersion() == "1.1.0")
        let unknown = try #require(SemanticVersion("9.0.0"))
        for bundle in ["words", "others"] {
            await #expect(throws: PublishRefusal.unknownVersion) {
                try await store.publisher.yank(unknown, of: BundleName(stored: bundle), TestStore.act)
            }
        }
    }

    @Test(arguments: Kind.allCases)
    func `A draft is published when its files are there, in a folder and in a bucket`(_ kind: Kind) async throws {
        let store = try await kind.store()
        let (manifest, version) = (try store.manifest("1.0.0", Self.new), try #require(SemanticVersion("1.0.0")))
        let drafted = try await store.publisher.draft(manifest, isPatch: false, TestStore.act)
        #expect(drafted.isChanged && Set(drafted.missing) == Set(Self.new.values.map(TestStore.sha256)))
        #expect(try await !store.publisher.draft(manifest, isPatch: false, TestStore.act).isChanged)
        #expect(try await store.newestVersion() == nil)
        let content = try await store.open()
        #expect(try await content.records(of: "words").map(\.state) == [.draft])
        #expect(content.size(ofNamed: TestStore.sha256("one")) == 3)
        #expect(try await content.location(of: TestStore.sha256("one")) == nil)
        await #expect(throws: PublishRefusal.missing(drafted.missing)) {
            try await store.publisher.publish(version, of: "words", TestStore.act)
        }
        let source = try SourceFolder(FilePath(store.source(Self.new)))
        try await store.publisher.store.add(source, manifest) { _ in }
        #expect(try await store.publisher.publish(version, of: "words", TestStore.act).isChanged)
        #expect(try await store.texts() == Self.new)
        await #expect(throws: PublishRefusal.state(.published)) {
            try await store.publisher.discard(version, of: "words", TestStore.act)
        }
    }

    @Test(arguments: Kind.allCases)
    func `Collecting removes the files that no version names`(_ kind: Kind) async throws {
        let store = try await kind.store()
        let later = Date() + 1_800
        #expect(try await store.collector.collect(grace: 0, at: later) == ContentCollector.Findings())
        try await store.publish("1.0.0", Self.old)
        let (draft, version) = (try store.manifest("1.1.0", ["x": "draft"]), try #require(SemanticVersion("1.1.0")))
        _ = try await store.publisher.draft(draft, isPatch: false, TestStore.act)
        let source = try SourceFolder(FilePath(store.source(["x": "draft"])))
        try await store.publisher.store.add(source, draft) { _ in }
        #expect(try await store.collector.collect(grace: 0, at: later).objects == 0)
        try await store.publisher.discard(version, of: "words", TestStore.act)
        #expect(try await store.collector.collect(grace: 3_600, at: later).objects == 0)
        for isDryRun in [true, false] {
            let found = try await store.collector.collect(grace: 0, isDryRun: isDryRun, at: later)
            #expect(found.objects == 1 && found.bytes >= 5)
        }
        #expect(try await store.collector.collect(grace: 0, at: later).objects == 0)
        #expect(try await store.texts() == Self.old)
        #expect(try await ContentInspection(of: store.place, at: Date()).verify().isEmpty)
    }

    @Test(arguments: Kind.allCases) func `An inspection finds a damaged file`(_ kind: Kind) async throws {
        let store = try await kind.store()
        try await store.publish("1.0.0", Self.old)
        let before = await ContentInspection(of: store.place, at: TemporaryFolder.later)
        #expect(before.problems.isEmpty && before.manifests.count == 1)
        #expect(try await before.verify().isEmpty)
        try await store.damage(TestStore.sha256("two"), "owt")
        let problems = try await before.verify()
        #expect(problems.map(\.reason) == [.otherBytes])
        #expect(problems.first?.path.hasSuffix(TestStore.sha256("two")) == true)
    }

    @Test(arguments: Kind.allCases) func `Names that look the same are refused`(_ kind: Kind) async throws {
        let store = try await kind.store()
        try await store.publish("1.0.0-rc", Self.old)
        var plan = try store.plan("1.0.0")
        plan.bundle = "Words"
        let (other, source) = (plan, try store.source(Self.old))
        await #expect(throws: PublishRefusal.bundleName(.sameNameAs("words"))) {
            try await store.publisher.publish(source, as: other, TestStore.act)
        }
        await #expect(throws: PublishRefusal.self) { try await store.publish("1.0.0-RC", Self.old) }
        #expect(try await store.open().bundles() == ["words"])
    }

    @Test(arguments: Kind.allCases) func `A refresh serves versions published meanwhile`(_ kind: Kind) async throws {
        let store = try await kind.store()
        let content = try await store.open()
        #expect(await content.refresh(at: TemporaryFolder.later).isEmpty)
        try await store.publish("1.0.0", Self.old)
        let changes = try await content.reload(at: TemporaryFolder.later)
        #expect(changes.added.map(\.description) == ["words 1.0.0"] && changes.problems.isEmpty)
        #expect(content.bundles() == ["words"])
        let nothing = await content.refresh(at: TemporaryFolder.later)
        #expect(nothing.isEmpty && nothing.readFiles == 0)
    }

    static let unfitNames: [(path: String, reason: ContentError.Reason)] = [
        ("a.", .dotOrSpaceAtEndOfName), ("a ", .dotOrSpaceAtEndOfName), ("a./b", .dotOrSpaceAtEndOfName),
        ("a*b", .reservedCharacterInName("*")), ("a?", .reservedCharacterInName("?")),
        ("x/<a>", .reservedCharacterInName("<")), ("a>b", .reservedCharacterInName(">")),
        ("12:30", .reservedCharacterInName(":")), ("a\"b", .reservedCharacterInName("\"")),
        ("a|b", .reservedCharacterInName("|")), ("100%.txt", .percentSignInName), ("a%2Fb", .percentSignInName),
        ("a\u{200B}b", .invisibleCharacterInName), ("a\u{AD}b", .invisibleCharacterInName),
        ("\u{FEFF}a", .invisibleCharacterInName),
    ]

    @Test(arguments: Kind.allCases)
    func `A new version with a name that some system takes for another is refused`(_ kind: Kind) async throws {
        let store = try await kind.store()
        for (path, reason) in Self.unfitNames {
            let refusal = PublishRefusal.content(ContentError(path, reason))
            await #expect(throws: refusal, "\(path)") { try await store.publish("1.0.0", [path: "x"]) }
            let manifest = try store.manifest("1.0.0", [path: "x"])
            await #expect(throws: refusal, "\(path)") {
                try await store.publisher.draft(manifest, isPatch: false, TestStore.act)
            }
        }
        var plan = try store.plan("1.0.0")
        plan.bundle = "100%"
        let (other, source) = (plan, try store.source(Self.old))
        await #expect(throws: PublishRefusal.bundleName(.percentSignInName)) {
            try await store.publisher.publish(source, as: other, TestStore.act)
        }
        #expect(try await store.trail().isEmpty)
        #expect(try await store.open().bundles().isEmpty)
        // Names that are written so.
        let names = ["می\u{200C}خواهم.txt", "👩\u{200D}🚀.png", "a. b.txt", "a..b", "é~1"]
        let files = Dictionary(names.map { ($0, "x") }) { first, _ in first }
        #expect(try await store.publish("1.0.0", files).isChanged)
    }

    @Test(arguments: Kind.allCases)
    func `A version that was published with such a name before stays as it is`(_ kind: Kind) async throws {
        let store = try await kind.store()
        let files = ["100%.txt": "x"]
        let (manifest, publisher) = (try store.manifest("1.0.0", files), store.publisher)
        let source = try SourceFolder(FilePath(store.source(files)))
        let isChanged = try await publisher.change("words", existing: nil) { known in
            try await publisher.store.add(source, manifest) { _ in }
            let record = VersionRecord(manifest: manifest, state: .published, publishedAt: TestStore.date)
            return try await publisher.commit(record, after: nil, among: known, .bundlePublished, TestStore.act)
                .isChanged
        }
        #expect(isChanged)
        #expect(try await store.texts("1.0.0") == files)
        #expect(try await !store.publish("1.0.0", files).isChanged, "as whoever restores lost files does")
        let version = try #require(SemanticVersion("1.0.0"))
        #expect(try await publisher.yank(version, of: "words", TestStore.act).isChanged)
        #expect(try await publisher.restore(version, of: "words", TestStore.act).isChanged)
        await #expect(throws: PublishRefusal.content(ContentError("100%.txt", .percentSignInName))) {
            try await store.publish("1.1.0", ["100%.txt": "y"])
        }
    }
}
