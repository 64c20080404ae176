import InAppPurchase
import TestSupport
import Testing

@testable import Content

@Suite struct VariantPlanTests {
    /// A version of one bundle: a file for each path, its hash made of a letter.
    private func manifest(
        _ version: String, _ files: [(path: String, letter: Character)], size: Int = 2_000, bundle: BundleName = "words"
    ) throws -> Manifest {
        let files = files.map { Manifest.File(path: $0.path, size: size, sha256: Self.sha256($0.letter)) }
        return Manifest(bundle: bundle, version: try #require(SemanticVersion(version)), files: files)
    }

    private static func sha256(_ letter: Character) -> String { String(repeating: letter, count: 64) }

    private func patches(for version: Manifest, among others: [Manifest], patchVersions: Int = 3) -> [[String]] {
        VariantPlan(for: version, among: others, PatchExtent(versions: patchVersions)).steps.map { step in
            #expect(Array(step.ways.prefix(2)) == [.zstd, .gzip])
            return step.ways.dropFirst(2).map { way in
                guard case .patch(let sha256) = way else { return "no patch" }
                return String(sha256.prefix(1))
            }
        }
    }

    @Test func `Patches are planned from earlier versions, the newest first`() throws {
        let versions = try zip(["1.0.0", "1.1.0", "1.10.0", "1.9.0", "2.0.0-beta", "3.0.0"], "abcdef").map {
            try manifest($0, [("words.txt", $1)])
        }
        let newest = try manifest("2.0.0", [("words.txt", "0")])
        #expect(patches(for: newest, among: versions) == [["e", "c", "d"]])
        #expect(patches(for: newest, among: versions, patchVersions: 9) == [["e", "c", "d", "b", "a"]])
        #expect(patches(for: newest, among: versions, patchVersions: 0) == [[]])
        #expect(patches(for: newest, among: versions, patchVersions: -1) == [[]])
        #expect(patches(for: newest, among: [newest]) == [[]])
        #expect(patches(for: newest, among: try [manifest("1.0.0", [("words.txt", "a")], bundle: "other")]) == [[]])
    }

    @Test func `Only a file that changed under its path is patched`() throws {
        let older = try manifest("1.0.0", [("changed", "a"), ("same", "b"), ("gone", "c"), ("moved", "d")])
        let oldest = try manifest("0.9.0", [("changed", "e"), ("same", "f"), ("moved", "d")])
        let newest = try manifest("1.1.0", [("changed", "1"), ("same", "b"), ("new", "2"), ("elsewhere", "d")])
        // In the order of the paths: changed, elsewhere, new, same.
        #expect(patches(for: newest, among: [older, oldest]) == [["a", "e"], [], [], ["f"]])
    }

    @Test func `The same bytes under two paths are one file`() throws {
        let older = try manifest("1.0.0", [("one", "a"), ("two", "b"), ("three", "a")])
        let newest = try manifest("1.1.0", [("one", "1"), ("two", "1"), ("three", "1")])
        #expect(patches(for: newest, among: [older]) == [["a", "b"]])
    }

    @Test func `Small and large files are not patched`() throws {
        func patches(older: Int, newer: Int) throws -> [[String]] {
            try self.patches(
                for: manifest("1.1.0", [("words.txt", "1")], size: newer),
                among: [manifest("1.0.0", [("words.txt", "a")], size: older)])
        }
        let (small, large) = (VariantMaker.smallestBytes, PatchExtent.maximumFileSize)
        #expect(try patches(older: small, newer: small) == [["a"]])
        #expect(try patches(older: large, newer: large) == [["a"]])
        #expect(try patches(older: small, newer: small - 1) == [])
        #expect(try patches(older: small - 1, newer: small) == [[]])
        #expect(try patches(older: large + 1, newer: large) == [[]])
        #expect(try patches(older: large, newer: large + 1) == [[]])
    }
}
