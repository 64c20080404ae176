import Foundation
import Testing

@testable import Content

/// The usual tools read what is made here.
@Suite struct ZstdToolTests {
    @Test(.enabled(if: Tool.zstd != nil, "zstd is not installed"))
    func `The tools zstd and gzip decode every variant`() throws {
        let bench = try VariantBench()
        for seed in 20..<23 as Range<UInt64> {
            let files = try CodingBench(seed: seed, size: 30_000 * Int(seed - 19))
            try bench.add(["\(seed).txt": files.older], as: "1.0.0")
            try bench.add(["\(seed).txt": files.newer], as: "1.1.0")
        }
        let long = try CodingBench(noise: ZstdEncoder.longDistanceBytes + VariantMaker.smallestBytes)
        try bench.add(["long.png": long.older], as: "1.0.0")
        let manifest = try bench.add(["long.png": long.newer], as: "1.1.0")
        _ = try bench.prepare("1.1.0")
        for file in manifest.files {
            let (older, newer) = ("words/1.0.0/\(file.path)", "words/1.1.0/\(file.path)")
            let variants = bench.variants(of: file.sha256)
            let isNoise = file.path == "long.png"
            #expect(variants.map(\.encoding) == (isNoise ? [] : [.zstd, .gzip]) + [.patch, .dcz])
            for variant in variants {
                let (tool, options) =
                    switch variant.encoding {
                    case .zstd: (Tool.zstd, ["-d"])
                    case .gzip: (Tool.gzip, ["-d"])
                    case .patch: (Tool.zstd, ["-d", "--patch-from=\(bench.content.path(older))"])
                    case .dcz: (Tool.zstd, ["-d", "-D", bench.content.path(older)])
                    }
                let decoded = try #require(tool).run(options + ["-c"], input: bench.bytes(of: variant))
                #expect(try decoded == Data(contentsOf: bench.content.url(of: newer)), "\(variant)")
            }
        }
    }
}

/// A program of the system.
private struct Tool {
    static let zstd = Tool("zstd")
    static let gzip = Tool("gzip")

    private let path: String

    /// The program; nil if it is not in `PATH`.
    private init?(_ name: String) {
        let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
        guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile) else {
            return nil
        }
        self.path = path
    }

    /// - Returns: what it writes.
    func run(_ arguments: [String], input: Data) throws -> Data {
        let (process, output, folder) = (Process(), Pipe(), try TemporaryFolder())
        try input.write(to: folder.url(of: "input"))
        process.executableURL = URL(filePath: path)
        process.arguments = arguments
        process.standardInput = try FileHandle(forReadingFrom: folder.url(of: "input"))
        process.standardOutput = output
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return bytes
    }
}
