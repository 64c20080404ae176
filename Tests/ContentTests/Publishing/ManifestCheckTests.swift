import Foundation
import InAppPurchase
import TestSupport
import Testing

@testable import Content

/// Manifests that clients send.
@Suite struct ManifestCheckTests {
    private static let sha256 = TestStore.sha256("x")

    static func file(_ path: String, size: Int = 1, sha256: String = sha256) -> Manifest.File {
        Manifest.File(path: path, size: size, sha256: sha256)
    }

    static let mistakes: [(files: [Manifest.File], path: String, reason: ContentError.Reason)] = [
        ([], "words", .emptyVersion),
        ([file("")], "", .emptyName), ([file("/etc/passwd")], "/etc/passwd", .emptyName),
        ([file("a//b")], "a//b", .emptyName), ([file("a/")], "a/", .emptyName),
        ([file("../a")], "../a", .hidden), ([file("a/./b")], "a/./b", .hidden), ([file("a/.b")], "a/.b", .hidden),
        ([file("a\u{0}b")], "a\u{0}b", .controlCharacterInName), ([file("a\nb")], "a\nb", .controlCharacterInName),
        ([file("a\u{2028}b")], "a\u{2028}b", .controlCharacterInName),
        ([file("a\u{202E}txt.exe")], "a\u{202E}txt.exe", .bidirectionalControlInName),
        ([file("b/\u{2067}a")], "b/\u{2067}a", .bidirectionalControlInName),
        ([file("a\\b")], "a\\b", .backslashInName), ([file("..\\b")], "..\\b", .hidden),
        ([file("C:")], "C:", .driveLetter), ([file("a/z:b.txt")], "a/z:b.txt", .driveLetter),
        ([file("CON")], "CON", .deviceName), ([file("a/nul.txt")], "a/nul.txt", .deviceName),
        ([file("Com1.tar.gz")], "Com1.tar.gz", .deviceName), ([file("lpt9 .txt")], "lpt9 .txt", .deviceName),
        ([file("COM\u{B9}")], "COM\u{B9}", .deviceName), ([file("AUX:stream")], "AUX:stream", .deviceName),
        ([file("conin$")], "conin$", .deviceName), ([file("PRN /x")], "PRN /x", .deviceName),
        ([file("a\u{FFFD}")], "a\u{FFFD}", .nameNotUTF8),
        ([file("A"), file("a")], "a", .sameNameAs("A")), ([file("a"), file("a")], "a", .sameNameAs("a")),
        ([file("Ka\u{308}se"), file("K\u{E4}se")], "K\u{E4}se", .sameNameAs("Ka\u{308}se")),
        ([file("STRASSE"), file("straße")], "straße", .sameNameAs("STRASSE")),
        ([file("A/x"), file("a/y")], "a/y", .sameNameAs("A")), ([file("a"), file("a/b")], "a/b", .sameNameAs("a")),
        ([file("a", size: -1)], "a", .wrongSize), ([file("a", size: 1), file("b", size: 2)], "b", .wrongSize),
        ([file("a", size: .max)], "a", .tooLarge(limit: 4 << 30)),
        ([file("a", sha256: "")], "a", .notASHA256), ([file("a", sha256: sha256.uppercased())], "a", .notASHA256),
        ([file("a", sha256: sha256 + "0")], "a", .notASHA256),
        ([file("a", sha256: "../" + sha256.dropFirst(3))], "a", .notASHA256),
        ([file(long)], long, .longName(limit: 255)),
        ([file(longPath)], longPath, .longName(limit: 1_024)), ([file(deep)], deep, .tooDeep(limit: 16)),
        ((0...10_000).map { file("\($0)") }, "words", .tooManyEntries(limit: 10_000)),
    ]

    private static let long = String(repeating: "ä", count: 128)
    private static let longPath = Array(repeating: String(repeating: "x", count: 255), count: 5).joined(separator: "/")
    private static let deep = Array(repeating: "d", count: 18).joined(separator: "/")

    @Test(arguments: mistakes.indices)
    func `A mistake in a client's manifest is refused with its path`(index: Int) throws {
        let (files, path, reason) = Self.mistakes[index]
        let plan = VersionPlan(bundle: "words", version: try #require(SemanticVersion("1.0.0")))
        #expect(throws: PublishRefusal.content(ContentError(path, reason))) { try plan.manifest(files: files) }
    }

    static let languages: [(tags: [String], isAccepted: Bool)] = [
        ([], true), (["en"], true), (["EN"], true), (["en", "en-GB", "zh-Hant"], true), (["sl-rozaj-biske-1994"], true),
        (numbered(100), true), (numbered(101), false), (["en", "EN"], false), (["pt-BR", "de", "pt-br"], false),
        ([""], false), (["e"], false), (["en", "*"], false), (["en_US"], false), ([" en"], false), (["en-"], false),
        (["\u{212A}o"], false), (["a\nb"], false),
        (["en-" + Array(repeating: "a", count: 17).joined(separator: "-")], false),
    ]

    private static func numbered(_ count: Int) -> [String] { (0..<count).map { "en-\($0)" } }

    @Test(arguments: languages.indices)
    func `Languages are checked as the locale is, and each may be named once`(index: Int) throws {
        let (tags, isAccepted) = Self.languages[index]
        var plan = VersionPlan(bundle: "words", version: try #require(SemanticVersion("1.0.0")))
        plan.languages = tags
        if isAccepted {
            #expect(try plan.manifest(files: [Self.file("a")]).languages == tags)
        } else {
            let refusal = #expect(throws: PublishRefusal.self) { try plan.manifest(files: [Self.file("a")]) }
            #expect(refusal?.description.hasPrefix("languages: at most 100 ") == true)
        }
        guard tags.count == 1 else { return }
        (plan.languages, plan.locale) = ([], tags[0])
        #expect(((try? plan.manifest(files: [Self.file("a")])) != nil) == isAccepted)
    }

    @Test func `A manifest without mistakes is accepted`() throws {
        let plan = VersionPlan(bundle: "Wörter 2", version: try #require(SemanticVersion("1.0.0-a+b")))
        let paths = [
            "console.txt", "COM", "COM10", "lpt", "nullify", "a.con", "1:2", "ab:c", "Auxiliary/x", "עברית.txt",
            "a/b/c", "a/b/d", "a/c", "ab", "b", Array(repeating: "d", count: 17).joined(separator: "/"),
        ]
        #expect(try plan.manifest(files: paths.map { Self.file($0) }).files.count == paths.count)
    }

    @Test func `Every refusal to publish is described in one line`() {
        let refusals: [PublishRefusal] = [
            .bundleName(.hidden), .content(ContentError("a\nb", .hidden)), .member("x"), .noPatch,
            .otherVersion(.draft), .otherVersion(.yanked), .unknownVersion, .state(.yanked), .missing(["a"]), .busy,
            .notWritable("x"), .unreadable(path: "a", content: "b"),
        ]
        for refusal in refusals { #expect(!refusal.description.isEmpty && !refusal.description.contains("\n")) }
    }
}
