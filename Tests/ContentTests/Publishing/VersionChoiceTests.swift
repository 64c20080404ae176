import Content
import Foundation
import InAppPurchase
import TestSupport
import Testing

/// Which version of a bundle a player gets.
@Suite struct VersionChoiceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        /// Each is a version and words: draft, yanked, stable, beta, `min=` and `max=` an app's version, `on=` a day.
        var versions: [String]
        var app: String?
        var isBeta = false
        /// Days that are open; nil for all.
        var open: ClosedRange<Int>?
        /// Days on which a subscription began.
        var began: [Int] = []
        /// The version that they get, and those that they may ask for.
        var newest: String?
        var readable: [String]

        var testDescription: String { "\(versions) app \(app ?? "-")\(isBeta ? " beta" : "")" }
    }

    static let cases: [Case] = [
        Case(versions: [], newest: nil, readable: []),
        Case(versions: ["1.0.0", "1.10.0", "1.9.0"], newest: "1.10.0", readable: ["1.0.0", "1.9.0", "1.10.0"]),
        Case(versions: ["1.0.0", "1.1.0 draft"], newest: "1.0.0", readable: ["1.0.0"]),
        Case(versions: ["1.0.0", "1.1.0 yanked"], newest: "1.0.0", readable: ["1.0.0", "1.1.0"]),
        Case(versions: ["1.0.0 yanked"], newest: nil, readable: ["1.0.0"]),
        // Pre-releases are for everybody while there is nothing else.
        Case(versions: ["1.0.0-beta.1"], newest: "1.0.0-beta.1", readable: ["1.0.0-beta.1"]),
        Case(versions: ["1.0.0", "1.1.0-beta.1"], newest: "1.0.0", readable: ["1.0.0"]),
        Case(
            versions: ["1.0.0", "1.1.0-beta.1"], isBeta: true, newest: "1.1.0-beta.1",
            readable: ["1.0.0", "1.1.0-beta.1"]),
        Case(versions: ["1.0.0 yanked", "1.1.0-rc.1"], newest: "1.1.0-rc.1", readable: ["1.0.0", "1.1.0-rc.1"]),
        Case(versions: ["1.0.0 draft", "1.1.0-rc.1"], newest: "1.1.0-rc.1", readable: ["1.1.0-rc.1"]),
        Case(versions: ["1.0.0", "1.1.0-rc.1 stable"], newest: "1.1.0-rc.1", readable: ["1.0.0", "1.1.0-rc.1"]),
        // Channels.
        Case(versions: ["1.0.0", "1.1.0 beta"], newest: "1.0.0", readable: ["1.0.0"]),
        Case(versions: ["1.0.0", "1.1.0 beta"], isBeta: true, newest: "1.1.0", readable: ["1.0.0", "1.1.0"]),
        Case(versions: ["1.0.0", "1.1.0 stable"], newest: "1.1.0", readable: ["1.0.0", "1.1.0"]),
        Case(versions: ["1.0.0 beta"], newest: nil, readable: []),
        Case(versions: ["1.0.0 beta", "0.9.0-rc.1"], newest: "0.9.0-rc.1", readable: ["0.9.0-rc.1"]),
        Case(versions: ["1.0.0", "1.1.0 beta yanked"], isBeta: true, newest: "1.0.0", readable: ["1.0.0", "1.1.0"]),
        // Apps.
        Case(versions: ["1.0.0", "2.0.0 min=3.1"], app: "3", newest: "1.0.0", readable: ["1.0.0", "2.0.0"]),
        Case(versions: ["1.0.0", "2.0.0 min=3.1"], app: "3.1", newest: "2.0.0", readable: ["1.0.0", "2.0.0"]),
        Case(versions: ["1.0.0", "2.0.0 min=3.1"], app: "3.10", newest: "2.0.0", readable: ["1.0.0", "2.0.0"]),
        Case(versions: ["1.0.0", "2.0.0 min=3.1"], newest: "2.0.0", readable: ["1.0.0", "2.0.0"]),
        Case(versions: ["1.0.0 max=2", "1.1.0 min=2.0.1"], app: "2", newest: "1.0.0", readable: ["1.0.0", "1.1.0"]),
        Case(versions: ["1.0.0 max=2"], app: "2.0.1", newest: nil, readable: ["1.0.0"]),
        Case(
            versions: ["1.0.0", "1.1.0-rc.1 max=2", "1.2.0 min=9"], app: "1", newest: "1.0.0",
            readable: ["1.0.0", "1.2.0"]),
        // A version that cannot be read is below every other.
        Case(versions: ["1.0.0", "2.0.0 min=0.1"], app: "new", newest: "1.0.0", readable: ["1.0.0", "2.0.0"]),
        // What is kept.
        Case(versions: ["1.0.0 on=1", "1.1.0 on=5", "1.2.0 on=9"], open: 2...8, newest: "1.1.0", readable: ["1.1.0"]),
        Case(
            versions: ["1.0.0 on=1", "1.1.0 on=5 yanked"], open: 1...8, newest: "1.0.0", readable: ["1.0.0", "1.1.0"]),
        Case(versions: ["1.0.0 on=1"], open: 2...8, newest: nil, readable: []),
        // The newest version when a subscription began is kept, too.
        Case(
            versions: ["1.0.0 on=1", "1.1.0 on=2", "1.2.0 on=9"], open: 5...8, began: [5], newest: "1.1.0",
            readable: ["1.1.0"]),
        Case(
            versions: ["1.0.0 on=1", "1.1.0 on=6", "1.2.0 on=9"], open: 5...8, began: [5], newest: "1.1.0",
            readable: ["1.0.0", "1.1.0"]),
        Case(versions: ["1.0.0 on=5"], open: 6...8, began: [5, 6], newest: "1.0.0", readable: ["1.0.0"]),
        Case(versions: ["1.0.0 on=6"], open: 7...8, began: [5], newest: nil, readable: []),
        Case(
            versions: ["1.0.0 on=1", "1.1.0 on=2 yanked"], open: 5...8, began: [5], newest: "1.0.0",
            readable: ["1.0.0"]),
        Case(versions: ["1.1.0 on=2 yanked"], open: 5...8, began: [5], newest: nil, readable: ["1.1.0"]),
        Case(
            versions: ["1.0.0 on=1", "1.1.0 on=2 beta"], open: 5...8, began: [5], newest: "1.0.0", readable: ["1.0.0"]),
        Case(
            versions: ["1.0.0 on=1", "1.1.0 on=2 draft"], open: 5...8, began: [5], newest: "1.0.0",
            readable: ["1.0.0"]),
        // What is for everybody depends on what is published, not on what is open.
        Case(versions: ["1.0.0 on=9", "1.1.0-rc.1 on=3"], open: 2...8, newest: nil, readable: []),
    ]

    static func record(_ text: String) throws -> VersionRecord {
        let words = text.split(separator: " ").map(String.init)
        func value(_ name: String) -> String? {
            words.first { $0.hasPrefix(name + "=") }.map { String($0.dropFirst(name.count + 1)) }
        }
        let version = try #require(SemanticVersion(words.first ?? ""))
        let manifest = Manifest(
            bundle: "words", version: version, files: [],
            minimumAppVersion: value("min").flatMap { SemanticVersion(appVersion: $0) },
            maximumAppVersion: value("max").flatMap { SemanticVersion(appVersion: $0) })
        var record = VersionRecord(
            manifest: manifest, state: words.compactMap { PublicationState(rawValue: $0) }.first ?? .published,
            publishedAt: Date(timeIntervalSince1970: Double(value("on") ?? "0") ?? 0))
        record.channel = words.compactMap { ReleaseChannel(rawValue: $0) }.first
        return record
    }

    @Test(arguments: cases) func `A player gets the version that the rules choose`(example: Case) throws {
        let open = example.open
        let reader = VersionChoice.Reader(
            appVersion: Availability.Client(appVersion: example.app).appVersion, isBeta: example.isBeta,
            mayRead: { date in open?.contains(Int(date.timeIntervalSince1970)) ?? true },
            subscriptionDates: example.began.map { Date(timeIntervalSince1970: Double($0)) })
        let choice = VersionChoice(try example.versions.map(Self.record), for: reader)
        #expect(choice.newest?.manifest.version.description == example.newest)
        #expect(choice.readable.map(\.manifest.version.description) == example.readable)
        for record in choice.readable { #expect(choice.version(record.manifest.version) == record) }
        #expect(choice.version(try #require(SemanticVersion("99.0.0"))) == nil)
    }

    /// Whoever is offered more never gets less: a beta account, a newer version, a promotion, an app without limits.
    @Test(arguments: UInt64(1)...30) func `A wider offer never gives a player an older version`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let lowest = try #require(SemanticVersion("0.0.0-0"))
        for _ in 0..<50 {
            let all = try (0..<Int.random(in: 0...6, using: &generator)).map { number in
                try Self.record(
                    [
                        "1.\(number).0" + generator.pick("", "-rc.1"), generator.pick("", "beta", "stable"),
                        generator.pick("published", "yanked", "draft"), generator.pick("", "min=2", "max=2"),
                    ].joined(separator: " "))
            }
            func newest(_ records: [VersionRecord], app: String? = "1", isBeta: Bool = false) -> SemanticVersion {
                let reader = VersionChoice.Reader(
                    appVersion: Availability.Client(appVersion: app).appVersion, isBeta: isBeta)
                let choice = VersionChoice(records.reversed(), for: reader)
                return choice.newest?.manifest.version ?? lowest
            }
            let mine = newest(all)
            try #require(newest(all, isBeta: true) >= mine)
            try #require(newest(all, app: nil) >= mine)
            let higher = try Self.record("9.0.0 stable")
            try #require(newest(all + [higher]) == higher.manifest.version)
            let promoted = all.map { record in
                var promoted = record
                promoted.channel = .stable
                return promoted
            }
            try #require(newest(promoted) == newest(all, isBeta: true))
        }
    }
}
