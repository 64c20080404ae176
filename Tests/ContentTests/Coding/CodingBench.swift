import Basics
import Crypto
import Foundation
import InAppPurchase
import SystemPackage
import TestSupport

@testable import Content

/// Two versions of a file, and what the coders make of them.
struct CodingBench {
    struct Made: Equatable {
        var variant: ContentVariant
        var bytes: Data
    }

    let older: Data
    let newer: Data
    private let folder: TemporaryFolder

    init(older: Data, newer: Data) throws {
        self.older = older
        self.newer = newer
        folder = try TemporaryFolder()
    }

    /// A text of words; in the newer version one in a hundred differs.
    init(seed: UInt64, size: Int) throws {
        var generator = SeededGenerator(seed: seed)
        var (older, newer) = (Data(), Data())
        while newer.count < size || older.count < size {
            let word = WordList.word(using: &generator) + "\n"
            older += Data(word.utf8)
            let isOther = Int.random(in: 0..<100, using: &generator) == 0
            newer += Data((isOther ? WordList.word(using: &generator) + "\n" : word).utf8)
        }
        try self.init(older: older.prefix(size), newer: newer.prefix(size))
    }

    /// The same text over and over; the newer version is a byte longer.
    init(repeating text: String, size: Int) throws {
        let times = size / text.utf8.count + 1
        let newer = Data(String(repeating: text, count: times).utf8).prefix(size)
        try self.init(older: newer.dropLast(), newer: newer)
    }

    /// Bytes that nothing makes smaller, one of which differs.
    init(noise size: Int) throws {
        var generator = SeededGenerator(seed: 0)
        let words = (0..<size / 8).map { _ in generator.next() }
        let noise = words.withUnsafeBytes { Data($0) }
        try self.init(older: noise, newer: noise.dropLast() + [0])
    }

    /// - Parameter bytes: the content of the file; that of the manifest if nil.
    func make(
        _ encoding: ContentVariant.Encoding, of bytes: Data? = nil, limit: Int, checkpoint: () throws -> Void = {}
    ) throws -> Made? {
        let file = Manifest.File(path: "newer", size: newer.count, sha256: Data.sha256(newer))
        let base = encoding == .patch ? try write(older, to: "older") : nil
        let target = try FileDescriptor.open(
            FilePath(folder.path("variant")), .readWrite, options: [.create, .truncate], permissions: .ownerReadWrite)
        return try withoutActuallyEscaping(checkpoint) { checkpoint in
            let maker = VariantMaker(path: try write(bytes ?? newer, to: "newer"), file: file, checkpoint: checkpoint)
            let variant = try target.closeAfter {
                try maker.make(
                    encoding, from: try base.map { try PatchBase($0, limit: .max) }, limit: limit, into: target)
            }
            return try variant.map { Made(variant: $0, bytes: try Data(contentsOf: folder.url(of: "variant"))) }
        }
    }

    func decode(_ bytes: Data, _ encoding: ContentVariant.Encoding, base: Data? = nil) throws -> Data {
        let file = try FileDescriptor.open(try write(bytes, to: "coded"), .readOnly)
        let older = try PatchBase(try write(base ?? older, to: "older"), limit: .max)
        var decoded = Data()
        try file.closeAfter {
            let decoder: any ByteCoder =
                switch encoding {
                case .gzip: try GzipDecoder()
                case .zstd, .dcz: try ZstdDecoder()
                case .patch: try ZstdDecoder(base: older)
                }
            _ = try CodingRun(file, through: decoder, checkpoint: { _ in }) { decoded += Data($0) }
        }
        return decoded
    }

    private func write(_ bytes: Data, to name: String) throws -> FilePath {
        try bytes.write(to: folder.url(of: name))
        return FilePath(folder.path(name))
    }
}

extension TemporaryFolder {
    func url(of relative: String) -> URL { url.appending(path: relative) }
}

extension Data {
    static func sha256(_ bytes: Data) -> String { Array(SHA256.hash(data: bytes)).hex }
}
