import Content
import Foundation
import InAppPurchase
import TestSupport
import Testing

@Suite struct ManifestTests {
    @Test func `A manifest sorts its files by the bytes of their paths`() throws {
        let paths = ["b", "a/é", "a/z", "B", "a.txt", "a/b/c", "ä", "10", "9"]
        let manifest = Manifest(
            bundle: "hard-words", version: try #require(SemanticVersion("1.0.0")),
            files: paths.map { Manifest.File(path: $0, size: 1, sha256: "00") })
        #expect(manifest.files.map(\.path) == ["10", "9", "B", "a.txt", "a/b/c", "a/z", "a/é", "b", "ä"])
    }

    @Test func `A manifest is encoded with its documented members`() throws {
        var manifest = Manifest(
            bundle: "hard-words", version: try #require(SemanticVersion("1.0.0")),
            files: [Manifest.File(path: "words.txt", size: 48213, sha256: "9f86d0")])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let members: [(isEssential: Bool, languages: [String], before: String, after: String)] = [
            (false, [], "", ""), (true, [], #""essential":true,"#, ""),
            (false, ["en", "pt-BR"], "", #""languages":["en","pt-BR"],"#),
        ]
        for (isEssential, languages, before, after) in members {
            (manifest.isEssential, manifest.languages) = (isEssential, languages)
            let json = try encoder.encode(manifest)
            #expect(
                String(decoding: json, as: UTF8.self)
                    == #"{"bundle":"hard-words",\#(before)"files":[{"path":"words.txt","sha256":"9f86d0","#
                    + #""size":48213}],\#(after)"version":"1.0.0"}"#)
            #expect(try JSONDecoder().decode(Manifest.self, from: json) == manifest)
        }
    }
}
