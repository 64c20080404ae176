import CZstd
import Foundation
import QuartermasterZstd
import TestSupport
import Testing

@testable import QuartermasterClient

/// The bytes of an update, as a device fetches them.
@Suite(.enabled(if: ShopServer.isBuilt)) struct UpdateSizeTests {
    /// Of the new version packed by `zstd -19`.
    private static let largestMedian = 0.08
    /// Of the corpus; all 20 of it take a minute.
    private static let pairs = ProcessInfo.processInfo.environment["QUARTERMASTER_DELTA_PAIRS"].flatMap(Int.init) ?? 6

    @Test func `The median update of the corpus takes a few percent of the packed version`() async throws {
        let pairs = DeltaPair.corpus.prefix(Self.pairs).enumerated()
        let corpus = Dictionary(uniqueKeysWithValues: pairs.map { ("pair-\($0)", $1) })
        try await DownloadWorld.run(and: corpus.mapValues(\.older)) { world in
            let device = try world.device(patches: ZstdPatchDecoder())
            for bundle in corpus.keys { #expect(await device.download(bundle).phase == .installed) }
            var shares: [Double] = []
            for (bundle, pair) in corpus {
                try await world.publish("1.1.0", pair.newer, of: bundle)
                world.proxy.decide { _ in .forward }
                let last = await device.download(bundle)
                #expect(last.phase == .installed && last.version == "1.1.0", "\(bundle) \(last)")
                #expect(try await device.installed(bundle) == pair.newer, "\(bundle)")
                let bytes = world.proxy.contentExchanges.reduce(0) { $0 + $1.bytes }
                shares.append(Double(bytes) / Double(try Self.packedSize(pair.newer)))
            }
            shares.sort()
            let median = (shares[shares.count / 2 - 1] + shares[shares.count / 2]) / 2
            print("median of an update's bytes", median)
            #expect(median <= Self.largestMedian, "\(shares)")
        }
    }

    private static func packedSize(_ files: [String: Data]) throws -> Int {
        let all = files.sorted { $0.key < $1.key }.reduce(into: Data()) { $0 += $1.value }
        var packed = Data(count: ZSTD_compressBound(all.count))
        let size = packed.withUnsafeMutableBytes { target in
            all.withUnsafeBytes { ZSTD_compress(target.baseAddress, target.count, $0.baseAddress, $0.count, 19) }
        }
        try #require(ZSTD_isError(size) == 0)
        return size
    }
}
