import Basics
import Content
import Crypto
import Foundation
import HTTPTypes
import InAppPurchase
import LedgerSQL
import LedgerSQLite
import ServerTestSupport
import StrictJSON
import TestSupport
import Testing

@testable import CommandLine
@testable import ServerCore

/// A client checks a manifest with the server's keys alone.
@Suite struct SignedManifestTests {
    @Test func `A signed manifest says what the answer says`() async throws {
        try await World.run { world in
            let keys = try await world.call(.get, "/v1/keys").json
            let player = try await world.buyer(of: "hardwords")
            let answer = try await world.call(.get, "/v1/bundles/hard-words", as: player).json
            let message = try #require(SignedMessage(answer["signed"].text, keys: keys))
            #expect(message.header["alg"] == "EdDSA" && message.header["typ"] == "quartermaster-manifest")
            let files = answer["files"].array.map { file in
                #"{"path":"\#(file["path"].text ?? "")","sha256":"\#(file["sha256"].text ?? "")","#
                    + #""size":\#(file["size"].number ?? 0)}"#
            }
            #expect(
                String(decoding: message.payload, as: UTF8.self)
                    == #"{"bundle":"hard-words","files":[\#(files.joined(separator: ","))],"#
                    + #""previous":[],"version":"1.0.0"}"#)
            let word = try #require(SignedMessage(answer["fresh"].text, keys: keys))
            #expect(word.header["alg"] == "EdDSA" && word.header["typ"] == "quartermaster-freshness")
            #expect(word.members["bundle"] == "hard-words" && word.members["version"] == "1.0.0")
            #expect(word.members["manifest"].text == message.sha256)
            #expect(word.members["at"].text == World.start.rfc3339)
            #expect(word.members["expires"].text == World.start.addingTimeInterval(86_400).rfc3339)
        }
    }

    /// One statement serves everybody for a minute; the manifest's signature stays. A request for a certain version
    /// gets no statement that it is the newest.
    @Test func `The statement that a version is the newest is renewed each minute`() async throws {
        try await World.run { world in
            let player = try await world.buyer(of: "hardwords")
            func answer(_ query: String = "") async throws -> JSONValue {
                try await world.call(.get, "/v1/bundles/hard-words\(query)", as: player).json
            }
            let first = try await answer()
            world.clock.advance(by: 59)
            let second = try await answer()
            #expect(second["fresh"] == first["fresh"] && second["signed"] == first["signed"])
            world.clock.advance(by: 1)
            let third = try await answer()
            #expect(third["fresh"] != first["fresh"] && third["signed"] == first["signed"])
            let word = SignedMessage(third["fresh"].text, keys: try await world.call(.get, "/v1/keys").json)
            #expect(word?.members["at"].text == World.start.addingTimeInterval(60).rfc3339)
            let named = try await answer("?version=1.0.0")
            #expect(named["signed"] == first["signed"] && named["fresh"] == .null)
        }
    }

    /// RFC 8785 §3.2.2.2: only quotation marks, backslashes and control characters are escaped; §3.2.3: sorted members.
    @Test func `The signed bytes are canonical JSON`() throws {
        let hash = String(repeating: "0a", count: 32)
        let manifest = Manifest(
            bundle: "wörter/\"\\", version: try #require(SemanticVersion("1.2.0-beta.1+7")),
            files: [
                Manifest.File(path: "\u{7f}é\u{2028}😀.txt", size: 9_007_199_254_740_991, sha256: hash),
                Manifest.File(path: "a\u{1}\u{1f}\t\n", size: 0, sha256: hash),
            ], minimumAppVersion: SemanticVersion("2.0.0"), maximumAppVersion: SemanticVersion("3.0.0"),
            locale: "de-AT", isEssential: true, languages: ["de-AT"],
            previousVersions: ["1.0.0", "1.1.0"].compactMap { SemanticVersion($0) })
        let signed = try SignedManifest(manifest, by: Self.key(1, created: World.start))
        let payload = try #require(signed.jws.split(separator: ".").dropFirst().first)
        let canonical =
            #"{"bundle":"wörter/\"\\","files":[{"path":"a\u0001\u001f\t\n","sha256":"\#(hash)","size":0},"#
            + #"{"path":"\#u{7f}é\#u{2028}😀.txt","sha256":"\#(hash)","size":9007199254740991}],"locale":"de-AT","#
            + #""maximumAppVersion":"3.0.0","minimumAppVersion":"2.0.0","previous":["1.0.0","1.1.0"],"#
            + #""version":"1.2.0-beta.1+7"}"#
        #expect(payload == Data(canonical.utf8).base64URL)
        #expect(signed.sha256 == Data(SHA256.hash(data: Data(canonical.utf8))).hex)
    }

    private static func key(_ number: Int, created: Date) throws -> ManifestKey {
        let secret = Data(repeating: UInt8(clamping: number), count: 32)
        return ManifestKey(
            number: number, created: created, secret: try Curve25519.Signing.PrivateKey(rawRepresentation: secret))
    }
}
