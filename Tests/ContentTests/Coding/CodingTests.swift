import Foundation
import SystemPackage
import TestSupport
import Testing

@testable import Content

/// Encoded bytes are decoded again, and damaged ones are not.
@Suite struct CodingTests {
    static let encodings: [ContentVariant.Encoding] = [.gzip, .zstd, .patch]

    /// Sizes near those of the chunks in which files are read.
    static let sizes = [1, 1024, CodingRun.chunkBytes - 1, CodingRun.chunkBytes, CodingRun.chunkBytes * 2 + 17]

    @Test(arguments: encodings, sizes)
    func `A file is decoded from its variant as it was`(encoding: ContentVariant.Encoding, size: Int) throws {
        let bench = try CodingBench(seed: UInt64(size), size: size)
        let made = try #require(try bench.make(encoding, limit: .max))
        #expect(made.variant.size == made.bytes.count)
        #expect(made.variant.sha256 == Data.sha256(made.bytes))
        #expect(made.variant.from == (encoding == .patch ? Data.sha256(bench.older) : nil))
        #expect(try bench.decode(made.bytes, encoding) == bench.newer)
    }

    @Test(arguments: encodings) func `An empty file is encoded and decoded`(encoding: ContentVariant.Encoding) throws {
        let bench = try CodingBench(seed: 1, size: 0)
        let made = try #require(try bench.make(encoding, limit: .max))
        #expect(try bench.decode(made.bytes, encoding) == Data())
    }

    @Test(arguments: encodings) func `The same bytes give the same variant`(encoding: ContentVariant.Encoding) throws {
        let made = try (0..<2).map { _ in try CodingBench(seed: 5, size: 100_000).make(encoding, limit: .max)?.variant }
        #expect(made.first == made.last)
    }

    @Test(arguments: encodings)
    func `A variant above its size limit is not made`(encoding: ContentVariant.Encoding) throws {
        let bench = try CodingBench(seed: 2, size: 300_000)
        let size = try #require(try bench.make(encoding, limit: .max)).variant.size
        #expect(try bench.make(encoding, limit: size)?.variant.size == size)
        #expect(try bench.make(encoding, limit: size - 1) == nil)
    }

    /// Packed files of hundreds of megabytes are not compressed to the end to find that out.
    @Test func `Compression stops where it cannot get below the limit`() throws {
        let bench = try CodingBench(noise: VariantMaker.probeBytes * 2)
        var checks = 0
        #expect(try bench.make(.gzip, limit: .max) { checks += 1 } == nil)
        let chunks = VariantMaker.probeBytes / CodingRun.chunkBytes
        // A chunk is checked when it goes in, when it comes out, and when nothing of it is left.
        #expect((chunks...(chunks + 1) * 3).contains(checks))
    }

    @Test(arguments: encodings)
    func `Compression stops when it is cancelled`(encoding: ContentVariant.Encoding) throws {
        let bench = try CodingBench(seed: 3, size: 10_000)
        #expect(throws: CancellationError.self) { try bench.make(encoding, limit: .max) { throw CancellationError() } }
    }

    @Test(arguments: encodings)
    func `A file that is not the one of the manifest is not encoded`(encoding: ContentVariant.Encoding) throws {
        let bench = try CodingBench(seed: 4, size: 10_000)
        for other in [bench.older, bench.newer.dropLast(), bench.newer + [0], Data()] {
            #expect(throws: (any Error).self) { try bench.make(encoding, of: other, limit: .max) }
        }
    }

    @Test(arguments: encodings)
    func `Damaged bytes are not decoded to the file`(encoding: ContentVariant.Encoding) throws {
        let bench = try CodingBench(seed: 6, size: 20_000)
        let bytes = try #require(try bench.make(encoding, limit: .max)).bytes
        #expect(throws: CodingError.truncated) { try bench.decode(bytes.dropLast(), encoding) }
        #expect(throws: CodingError.truncated) { try bench.decode(Data(), encoding) }
        #expect(throws: CodingError.trailingBytes) { try bench.decode(bytes + [0], encoding) }
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<200 {
            var damaged = bytes
            // The header of gzip has a time and a system that mean nothing.
            let position = Int.random(in: (encoding == .gzip ? 10 : 0)..<bytes.count, using: &generator)
            damaged[position] ^= UInt8.random(in: 1...255, using: &generator)
            #expect((try? bench.decode(damaged, encoding)) != bench.newer, "at \(position)")
        }
    }

    @Test func `A patch is decoded with its own base only`() throws {
        let bench = try CodingBench(seed: 7, size: 50_000)
        let patch = try #require(try bench.make(.patch, limit: .max)).bytes
        #expect(patch.count < 5_000)
        #expect((try? bench.decode(patch, .patch, base: bench.newer)) != bench.newer)
        #expect((try? bench.decode(patch, .zstd)) != bench.newer)
    }

    @Test func `The window of compression is no larger than receivers accept`() throws {
        let bench = try CodingBench(repeating: "hangman\n", size: ZstdEncoder.longDistanceBytes + 1)
        let zstd = try #require(try bench.make(.zstd, limit: .max)).bytes
        // RFC 8878 §3.1.1.1: not one segment, and 2^(10 + 13) bytes.
        #expect(zstd[4] & 0x20 == 0 && zstd[5] == 13 << 3)
        let patch = try #require(try bench.make(.patch, limit: .max)).bytes
        #expect(patch[4] & 0x20 != 0)
    }
}
