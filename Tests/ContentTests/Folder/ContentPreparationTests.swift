import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Content

@Suite struct ContentPreparationTests {
    private let bench: VariantBench

    init() throws { bench = try VariantBench() }

    /// A file of words, and what it looks like after some edits.
    private func versions(_ count: Int) throws -> [Data] {
        let versions = try CodingBench(seed: 11, size: 40_000)
        return (0..<count).map { number in
            number == 0
                ? versions.older : versions.newer + Data(String(repeating: "\(number) more\n", count: number).utf8)
        }
    }

    private func sha256(_ data: Data) -> String { Data.sha256(data) }

    @Test func `Every prepared variant is decoded to its file`() throws {
        let files = try versions(2)
        for (file, version) in zip(files, ["1.0.0", "1.1.0"]) { try bench.add(["words.txt": file], as: version) }
        #expect(try bench.prepare("1.1.0") == .init(made: 4))
        let variants = bench.variants(of: sha256(files[1]))
        #expect(variants.map(\.encoding) == [.zstd, .gzip, .patch, .dcz])
        #expect(variants.map(\.from) == [nil, nil, sha256(files[0]), sha256(files[0])])
        for variant in variants {
            let bytes = try bench.bytes(of: variant)
            #expect(sha256(bytes) == variant.sha256 && bytes.count == variant.size)
            guard variant.encoding != .dcz else { continue }
            let decoded = try CodingBench(older: files[0], newer: Data()).decode(bytes, variant.encoding)
            #expect(decoded == files[1])
        }
        // RFC 9842 §5: the header, and then the patch.
        let digest = try #require(Data(hexadecimal: sha256(files[0])))
        let header = Data([0x5E, 0x2A, 0x4D, 0x18, 0x20, 0, 0, 0]) + digest
        #expect(try bench.bytes(of: variants[3]) == header + bench.bytes(of: variants[2]))
    }

    @Test func `A second preparation makes nothing and reads no file`() throws {
        let files = try versions(2) + [CodingBench(noise: 5_000).older]
        try bench.add(["words.txt": files[0], "noise.png": files[2]], as: "1.0.0")
        try bench.add(["words.txt": files[1], "noise.png": files[2]], as: "1.1.0")
        #expect(try bench.prepare("1.1.0") == .init(made: 4))
        #expect(bench.variants(of: sha256(files[2])) == [])
        var checks = 0
        #expect(try bench.prepare("1.1.0") { checks += 1 } == .init())
        #expect(checks == 2, "each file is looked at, and none is read")
    }

    @Test func `An interrupted preparation goes on where it was`() throws {
        let files = try versions(4)
        let paths = (0..<4).map { "words-\($0).txt" }
        try bench.add(Dictionary(uniqueKeysWithValues: zip(paths, files)), as: "1.0.0")
        var made: Set<Int> = []
        for limit in 1...1_000 {
            var checks = 0
            let outcome = Result {
                try bench.prepare("1.0.0") {
                    checks += 1
                    if checks > limit { throw CancellationError() }
                }
            }
            made.insert(files.count { !bench.variants(of: sha256($0)).isEmpty })
            #expect(try FileManager.default.contentsOfDirectory(atPath: bench.store.incoming.string) == [])
            if case .success = outcome { break }
        }
        #expect(made == [0, 1, 2, 3, 4])
    }

    @Test func `Lost or damaged variants are made again`() throws {
        let files = try versions(2)
        for (file, version) in zip(files, ["1.0.0", "1.1.0"]) { try bench.add(["words.txt": file], as: version) }
        _ = try bench.prepare("1.1.0")
        let variants = bench.variants(of: sha256(files[1]))
        for variant in variants {
            try FileManager.default.removeItem(atPath: bench.store.object(variant.sha256).string)
        }
        #expect(bench.variants(of: sha256(files[1])) == [])
        #expect(try bench.prepare("1.1.0") == .init(made: 4))
        #expect(bench.variants(of: sha256(files[1])) == variants)
        for damage in ["", "{}", "null", #"{"variants": 3}"#, String(repeating: " ", count: 300_000)] {
            let record = VariantFolder(store: bench.store).path(of: sha256(files[1])).string
            try damage.write(toFile: record, atomically: true, encoding: .utf8)
            #expect(bench.variants(of: sha256(files[1])) == [])
            #expect(try bench.prepare("1.1.0") == .init(made: 4), "\(damage.prefix(9))")
        }
    }

    @Test func `A patch that saves nothing is not stored`() throws {
        let (older, newer) = (try versions(1)[0], try CodingBench(seed: 12, size: 40_000).newer)
        for (file, version) in zip([older, newer], ["1.0.0", "1.1.0"]) {
            try bench.add(["words.txt": file], as: version)
        }
        #expect(try bench.prepare("1.1.0") == .init(made: 2))
        #expect(bench.variants(of: sha256(newer)).map(\.encoding) == [.zstd, .gzip])
    }

    @Test func `Patches from earlier versions are made up to their maximum`() throws {
        let files = try versions(5)
        for (number, file) in files.enumerated() {
            try bench.add(["words.txt": file], as: "1.\(number).0")
            _ = try bench.prepare("1.\(number).0", patchVersions: 2)
            let patches = bench.variants(of: sha256(file)).filter { $0.encoding == .patch }
            #expect(patches.map(\.from) == files[max(0, number - 2)..<number].reversed().map(sha256))
        }
    }

    @Test func `A file that changes meanwhile is reported, and the others are prepared`() throws {
        let files = try versions(2)
        let manifest = try bench.add(["changes.txt": files[0], "words.txt": files[1]], as: "1.0.0")
        let folder = bench.content
        var preparation = ContentPreparation(
            in: bench.store,
            location: { sha256 in
                let name = manifest.files.first { $0.sha256 == sha256 }?.path ?? ""
                return .init(folder.path("words/1.0.0/\(name)"))
            })
        try files[0].reversed().withUnsafeBytes { Data($0) }.write(to: folder.url(of: "words/1.0.0/changes.txt"))
        try preparation.prepare(manifest, among: [], PatchExtent())
        #expect(preparation.summary.made == 2)
        #expect(preparation.summary.problems.map(\.reason) == [.changing])
        #expect(bench.variants(of: sha256(files[0])) == [])
        #expect(bench.variants(of: sha256(files[1])).count == 2)
    }
}

extension Data {
    fileprivate init?(hexadecimal text: String) {
        let digits = text.compactMap(\.hexDigitValue)
        guard digits.count == text.count else { return nil }
        self.init(stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
