import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// An update costs what changed.
@Suite struct DeltaCorpusTests {
    /// Of the whole new version packed by `zstd -19`.
    static let largestMedian = 0.08

    @Test func `The median update is a few percent of the archive`() async throws {
        let shares = try await withThrowingTaskGroup(of: (String, Double).self) { group in
            for pair in DeltaPair.corpus { group.addTask { try share(of: pair) } }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        let sorted = shares.values.sorted()
        let median = (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
        for (name, share) in shares.sorted(by: { $0.value < $1.value }) { print(name, share.percent) }
        print("median", median.percent)
        #expect(sorted.count == 20)
        #expect(median <= Self.largestMedian)
    }

    /// The bytes from the older to the newer version, divided by those of `zstd -19` for all its files at once.
    private func share(of pair: DeltaPair) throws -> (String, Double) {
        let bench = try VariantBench()
        let manifests = [try bench.add(pair.older, as: "1.0.0"), try bench.add(pair.newer, as: "1.1.0")]
        let summary = try bench.prepare("1.1.0")
        #expect(summary.problems.isEmpty)
        let had = Set(manifests.first?.files.map(\.sha256) ?? [])
        let lacking = (manifests.last?.files ?? []).filter { !had.contains($0.sha256) }
        var update = 0
        for file in lacking {
            let variants = bench.variants(of: file.sha256)
            update += variants.filter { $0.encoding != .dcz }.map(\.size).min() ?? file.size
            for patch in variants where patch.encoding == .patch {
                let bytes = try bench.applied(patch)
                #expect(bytes == pair.newer[file.path], "\(pair.name) \(file.path)")
            }
        }
        return (pair.name, Double(update) / Double(try archive(pair.newer)))
    }

    private func archive(_ files: [String: Data]) throws -> Int {
        let all = files.sorted { $0.key < $1.key }.reduce(into: Data()) { $0 += $1.value }
        let bench = try CodingBench(older: Data(), newer: all)
        return try bench.make(.zstd, limit: .max)?.variant.size ?? all.count
    }
}

extension Double {
    fileprivate var percent: String { String(format: "%.2f %%", self * 100) }
}
