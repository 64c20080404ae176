import Content
import Foundation
import TestSupport
import Testing

@Suite struct ContentNegotiationTests {
    static let file = String(repeating: "ab", count: 32)
    static let older = String(repeating: "07", count: 32)
    static let size = 1000
    static let gzip = ContentVariant(.gzip, size: 500, sha256: String(repeating: "1", count: 64))
    static let zstd = ContentVariant(.zstd, size: 400, sha256: String(repeating: "2", count: 64))
    static let dcz = ContentVariant(.dcz, from: older, size: 90, sha256: String(repeating: "3", count: 64))
    static let patch = ContentVariant(.patch, from: older, size: 50, sha256: String(repeating: "4", count: 64))
    static let variants = [gzip, zstd, dcz, patch]
    static let dictionary = ":\(Data(repeating: 7, count: 32).base64EncodedString()):"

    private func choice(_ negotiation: ContentNegotiation) -> ContentNegotiation.Choice {
        negotiation.choice(among: Self.variants, size: Self.size, sha256: Self.file)
    }

    @Test(arguments: [
        ("gzip", gzip), ("GZip", gzip), ("x-gzip", gzip), ("gzip, deflate, br", gzip), ("gzip;q=0.001", gzip),
        ("zstd", zstd), ("gzip, zstd", zstd), ("zstd,gzip", zstd), ("*", zstd), ("*;q=0.1", zstd),
        ("zstd;q=0.5, gzip;q=0.6", gzip), ("zstd;q=0.5, gzip;q=0.50", zstd), ("gzip;q=1.000, zstd;q=0.999", gzip),
        ("gzip ; q=1", gzip), ("\tgzip\t;\tQ=1.\t,", gzip), (", ,gzip,", gzip),
        ("br;q=1.0, gzip;q=0.8, *;q=0.1", gzip),
        ("identity;q=0, gzip;q=0.001", gzip), ("*;q=0, gzip", gzip), ("gzip, *;q=0", gzip), ("zstd;q=0, *", gzip),
        ("identity;q=0.5, gzip;q=0.6", gzip), ("gzip, identity", gzip), ("zstd;q=0, zstd, gzip;q=0.1", gzip),
        ("x-gzip;q=0, gzip", gzip), ("compress, deflate, zstd", zstd), ("dcz, gzip", gzip),
        ("zstd;q=2, gzip", gzip),
        ("identity;q=0, *", zstd), ("zstd-patch, gzip", gzip), ("\u{FC}, gzip", gzip),
    ])
    func `The preferred acceptable variant is chosen`(header: String, expected: ContentVariant) {
        #expect(choice(.init(acceptEncoding: header)) == .variant(expected))
    }

    @Test(arguments: [
        nil, "", " ", ",", ";", ";q=1", "identity", "br", "deflate, br", "gzip;q=0", "gzip;q=0.000",
        "gzip;q=0, zstd;q=0",
        "identity;q=1, gzip;q=0.9", "identity, zstd;q=0.999", "gzip;q=", "gzip;q=-1", "gzip;q=1.001",
        "gzip;q=0.1234",
        "gzip;q=00.1", "gzip;q=.5", "gzip;q=0.5;q=1", "gzip;level=9", "gzip;q=0,5", "gzip zstd", "\"gzip\"",
        "gzip;q =1",
        "gzip;q=\u{FF11}", "gzip;q=0.1.2", "gzip\u{301}", "dcz", "dcz;q=1", "*;q=0, identity", "gzip/1",
        "zstd-patch",
        "gzip;", "gz\0ip", "gzip;q=1e0", "gzip;q=+1", "gzip;q=0.+1",
    ])
    func `The file itself is chosen where no variant is acceptable`(header: String?) {
        #expect(choice(.init(acceptEncoding: header)) == .identity)
    }

    @Test(arguments: ["identity;q=0", "*;q=0", "br, *;q=0", "identity;q=0, dcz", "Identity;Q=0.0", "identity;q=0, br"])
    func `A request that accepts no representation is not acceptable`(header: String) {
        #expect(choice(.init(acceptEncoding: header)) == .notAcceptable)
    }

    @Test func `A patch is chosen for a client that has its dictionary and accepts it`() {
        func choice(_ encodings: String, _ dictionary: String?) -> ContentNegotiation.Choice {
            self.choice(.init(acceptEncoding: encodings, availableDictionary: dictionary))
        }
        #expect(choice("gzip, br, zstd, dcb, dcz", Self.dictionary) == .variant(Self.dcz))
        #expect(choice("zstd, dcz;q=0.5", Self.dictionary) == .variant(Self.zstd))
        for encodings in ["*, dcb", "zstd", "zstd, dcz;q=0"] {
            #expect(choice(encodings, Self.dictionary) == .variant(Self.zstd))
        }
        let other = Data(repeating: 8, count: 32).base64EncodedString()
        let odd = Self.dictionary.dropFirst().dropLast()
        for header in [
            nil, "", ":", "::", ":\(other):", "\(odd)", ":\(odd)", "\(odd):", ":\(odd.dropLast()):", "\"\(odd)\"",
            ":\(odd):;a=1", ":\(odd): ", ":\(odd.dropLast(4)):", ":\(odd.dropLast(2))==:", Self.older,
            ":\(Self.older):",
            "\(Self.dictionary), \(Self.dictionary)",
        ] { #expect(choice("zstd, dcz", header) == .variant(Self.zstd), "\(header ?? "")") }
    }

    @Test func `A range is of the representation that the download began with`() {
        func tag(_ choice: ContentNegotiation.Choice) -> String { "\"\(choice.entityTag(of: Self.file))\"" }
        func choice(_ encodings: String?, range: String? = "bytes=9-", _ ifRange: String?) -> ContentNegotiation.Choice
        {
            self.choice(
                .init(acceptEncoding: encodings, availableDictionary: Self.dictionary, range: range, ifRange: ifRange))
        }
        #expect(choice("gzip, zstd", nil) == .identity)
        #expect(choice("gzip, zstd, identity;q=0", nil) == .variant(Self.zstd))
        #expect(choice("gzip, zstd", tag(.identity)) == .identity)
        #expect(choice("gzip, zstd, dcz", tag(.variant(Self.gzip))) == .variant(Self.gzip))
        #expect(choice("gzip, zstd, dcz", tag(.variant(Self.dcz))) == .variant(Self.dcz))
        #expect(choice("gzip", tag(.variant(Self.zstd))) == .variant(Self.gzip))
        #expect(choice(nil, tag(.variant(Self.zstd))) == .identity)
        for odd in ["\"x\"", "W/" + tag(.variant(Self.gzip)), "Fri, 20 Nov 2026 21:37:00 GMT", "", Self.file] {
            #expect(choice("gzip, zstd", odd) == .variant(Self.zstd), "\(odd)")
        }
        #expect(choice("gzip, zstd", range: nil, tag(.variant(Self.gzip))) == .variant(Self.zstd))
    }

    @Test func `Each representation has an entity tag of its own`() {
        let choices = [.identity] + Self.variants.map(ContentNegotiation.Choice.variant)
        let tags = choices.map { $0.entityTag(of: Self.file) }
        #expect(Set(tags).count == tags.count)
        #expect(tags.first == Self.file)
        #expect(tags.dropFirst().first == Self.file + "-gzip-1111111111111111")
    }
}
