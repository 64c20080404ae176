import Foundation
import Testing

@testable import QuartermasterClient

/// Tables of what a manifest may contain.
@Suite struct ManifestTableTests {
    @Test(arguments: [
        ["words.txt"], ["a/b/c.txt", "a/b/d.txt", "a.txt"], ["é.txt", "e.txt"],
        [String(repeating: "a", count: 255)],
        ["a.b/..c.d"].map { $0.replacingOccurrences(of: "..", with: "x") }, ["a b", "a-b"],
    ])
    func `Plain relative paths can be stored`(paths: [String]) {
        #expect(ManifestPaths.areUsable(paths))
    }

    @Test(arguments: [
        [""], ["/etc/passwd"], ["a/"], ["a//b"], ["."], [".."], ["a/../b"], ["a/./b"], [".hidden"], ["a/.hidden"],
        ["a\\b"], ["a\u{0}b"], ["a\nb"], ["a\u{7F}"], ["a\u{85}"], [String(repeating: "a", count: 256)],
        [String(repeating: "é", count: 128)], [Array(repeating: "a", count: 33).joined(separator: "/")],
        [Array(repeating: String(repeating: "a", count: 250), count: 5).joined(separator: "/")],
        ["a", "a"], ["a.txt", "A.TXT"], ["straße", "STRASSE"], ["é", "e\u{301}"], ["\u{212A}", "k"], ["a", "a/b"],
        ["a/b", "A"], ["x/a", "X/A"],
    ])
    func `Paths that leave the folder, collide or are too long cannot be stored`(paths: [String]) {
        #expect(!ManifestPaths.areUsable(paths))
        #expect(!ManifestPaths.areUsable(paths.reversed()))
    }

    static let hash = String(repeating: "0a", count: 32)

    static func payload(_ files: String, version: String = "1.0.0") -> Data {
        Data(#"{"bundle":"b","files":\#(files),"previous":[],"version":"\#(version)"}"#.utf8)
    }

    static func file(path: String = "a", size: String = "1", sha256: String = hash) -> String {
        #"{"path":"\#(path)","sha256":"\#(sha256)","size":\#(size)}"#
    }

    @Test func `A well-formed manifest is read`() throws {
        let other = String(repeating: "0b", count: 32)
        let files = "[\(Self.file()),\(Self.file(path: "b")),\(Self.file(path: "c", size: "0", sha256: other))]"
        let manifest = try SignedManifest(Self.payload(files, version: "1.2.3-beta.1+7"))
        #expect(manifest.files.map(\.path) == ["a", "b", "c"])
        #expect(manifest.version.text == "1.2.3-beta.1+7")
        #expect(manifest.sha256 == ContentHash(of: Self.payload(files, version: "1.2.3-beta.1+7")))
    }

    /// Nothing from outside traps, however large it is.
    @Test(arguments: [
        payload("[]"), payload("[\(file(path: "../a"))]"), payload("[\(file(size: "-1"))]"),
        payload("[\(file(size: "1.5"))]"), payload("[\(file(size: "1e300"))]"),
        payload("[\(file(size: "9223372036854775807")),\(file(path: "b", size: "9223372036854775807"))]"),
        payload("[\(file(size: "99999999999999999999999"))]"), payload("[\(file(size: "2199023255552"))]"),
        payload("[\(file(sha256: "0A" + hash.dropFirst(2)))]"),
        payload("[\(file(sha256: String(hash.dropFirst())))]"),
        payload("[\(file()),\(file(path: "b", size: "2"))]"), payload("[\(file()),\(file(path: "A"))]"),
        payload("[\(file())]", version: "../1.0.0"), payload("[\(file())]", version: "1.0.0-a/b"),
        payload("[\(file())]", version: ""), payload("[\(file())]", version: "one"),
        payload("[\(file())]", version: "1.0.0+" + String(repeating: "a", count: 200)),
        payload("{}"), Data("[]".utf8), Data(), Data([0xFF]), Data(String(repeating: "[", count: 100_000).utf8),
    ])
    func `A malformed manifest is refused`(payload: Data) {
        #expect(throws: DownloadError.unusableManifest) { try SignedManifest(payload) }
    }

    @Test func `Versions of bundles are in the order of Semantic Versioning`() throws {
        let order = [
            "0.9.0", "1.0.0-alpha", "1.0.0-alpha.1", "1.0.0-alpha.beta", "1.0.0-beta.2", "1.0.0-beta.11", "1.0.0-rc.1",
            "1.0.0", "1.0.1", "1.2.0", "1.10.0", "2.0.0",
        ].compactMap(BundleVersion.init)
        #expect(order.count == 12)
        for (place, version) in order.enumerated() {
            for (other, above) in order.enumerated() { #expect(version.isBelow(above) == (place < other)) }
        }
        let build = try #require(BundleVersion("1.0.0+1"))
        let release = try #require(BundleVersion("1.0.0"))
        #expect(order.allSatisfy { $0.isBelow(build) == $0.isBelow(release) })
        #expect(order.allSatisfy { build.isBelow($0) == release.isBelow($0) })
    }

    @Test func `The size of a piece follows the speed of the connection within its limits`() {
        var piece = PieceSize()
        var sizes = [piece.bytes]
        for seconds in [0.5, 0.9, 2, 5, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1] {
            piece.adapt(to: .milliseconds(Int(seconds * 1_000)))
            sizes.append(piece.bytes)
        }
        #expect(sizes.map { $0 >> 10 } == [256, 512, 1024, 1024, 512, 1024, 2048, 4096, 8192, 8192, 8192, 8192])
        for _ in 0..<20 { piece.adapt(to: .seconds(5)) }
        #expect(piece.bytes == 64 << 10)
    }
}

/// The statement that a version is the newest.
@Suite struct FreshStatementTests {
    private static let at = Date(timeIntervalSince1970: 1_795_000_000)
    private static let manifest = ContentHash(of: Data("manifest".utf8))

    private func statement(
        bundle: String = "b", version: String = "1.1.0", appVersion: String? = "2.1", manifest: ContentHash = manifest,
        at: Date = at, lifetime: TimeInterval = 86_400
    ) throws -> FreshStatement {
        let members = [
            "bundle": bundle, "version": version, "channel": "stable", "appVersion": appVersion,
            "manifest": manifest.text, "at": at.formatted(.iso8601), "expires": (at + lifetime).formatted(.iso8601),
        ].compactMapValues { $0 }
        return try FreshStatement(JSONEncoder().encode(members))
    }

    private func accepted(
        _ statement: FreshStatement, version: String = "1.1.0", after remembered: RememberedVersion? = nil,
        now: Date = at
    ) throws -> RememberedVersion {
        let subject = FreshStatement.Subject(
            bundle: "b", version: try #require(BundleVersion(version)), manifest: Self.manifest, appVersion: "2.1")
        return try statement.accepted(for: subject, after: remembered, now: now)
    }

    private func remembered(_ version: String, _ age: TimeInterval) -> RememberedVersion {
        RememberedVersion(version: version, at: Self.at - age)
    }

    @Test func `A fresh statement that is not older than the last is accepted`() throws {
        let new = remembered("1.1.0", 0)
        #expect(try accepted(statement()) == new)
        #expect(try accepted(statement(), after: remembered("1.0.0", 60)) == new)
        #expect(try accepted(statement(), after: new) == new)
        #expect(try accepted(statement(), now: Self.at + 86_399) == new)
        // The operator withdrew 1.2.0.
        #expect(try accepted(statement(), after: remembered("1.2.0", 1)) == new)
        // Another replica signed a minute before.
        let later = remembered("1.1.0", -90)
        #expect(try accepted(statement(), after: later) == later)
        #expect(try accepted(statement(), after: remembered("1.0.0", -90)) == remembered("1.1.0", -90))
    }

    @Test func `A stale, older, foreign or malformed statement is refused`() throws {
        #expect(throws: DownloadError.stale) { try accepted(statement(), now: Self.at + 86_400) }
        #expect(throws: DownloadError.rollback) { try accepted(statement(), after: remembered("1.1.0", -121)) }
        #expect(throws: DownloadError.rollback) { try accepted(statement(), after: remembered("1.2.0", 0)) }
        #expect(throws: DownloadError.rollback) { try accepted(statement(), after: remembered("1.1.1", -30)) }
        for other in [
            try statement(bundle: "c"), try statement(version: "1.1.1"), try statement(appVersion: "2.0"),
            try statement(appVersion: nil), try statement(manifest: ContentHash(of: Data())),
        ] { #expect(throws: DownloadError.signature) { try accepted(other) } }
        for text in ["", "{}", "[]", #"{"bundle":"b","version":"1.0.0","manifest":"","at":"yesterday","expires":""}"#] {
            #expect(throws: DownloadError.unusableManifest) { try FreshStatement(Data(text.utf8)) }
        }
    }
}
