import Basics
import Crypto
import SystemPackage

/// Makes the missing variants of a version's files.
///
/// What was made, or tried without gain, is not tried again; an interrupted preparation continues at the file where it
/// stopped. A file without variants is sent as it is: nothing here keeps a version from being published.
package struct ContentPreparation {
    /// The result of a preparation.
    package struct Summary: Hashable, Sendable {
        /// How many variants were made.
        package var made = 0
        /// The files of which no variant could be made, and why.
        package var problems: [ContentError] = []
    }

    let variants: VariantFolder
    /// Finds the bytes with a SHA-256.
    let location: (String) -> FilePath?
    /// Called often; what it throws ends the work.
    let checkpoint: () throws -> Void

    private(set) var summary = Summary()

    init(
        in store: RepositoryFolder, location: @escaping (String) -> FilePath?,
        checkpoint: @escaping () throws -> Void = {}
    ) {
        variants = VariantFolder(store: store)
        self.location = location
        self.checkpoint = checkpoint
    }

    /// Makes the variants, one file after the other. Blocks.
    ///
    /// - Parameters:
    ///   - others: the bundle's other versions.
    ///   - progress: called with how many more bytes of the files are done: for each file its whole size in the end,
    ///     whatever was made of it, in parts as the work proceeds.
    /// - Throws: what the checkpoint throws.
    mutating func prepare(
        _ version: Manifest, among others: [Manifest], _ extent: PatchExtent,
        progress: @escaping (Int) -> Void = { _ in }
    ) throws {
        for step in VariantPlan(for: version, among: others, extent).steps {
            try checkpoint()
            let share = WorkShare(of: step.file.size, tell: progress)
            try prepare(step, share)
            share.finish()
        }
    }

    private mutating func prepare(_ step: VariantPlan.Step, _ share: WorkShare) throws {
        var record = variants.record(of: step.file.sha256)
        let ways = step.ways.filter { !record.contains($0) }
        guard !ways.isEmpty, let path = location(step.file.sha256) else { return }
        let maker = VariantMaker(path: path, file: step.file, checkpoint: checkpoint, progress: { share.add($0) })
        share.begin(ways: ways.count)
        do {
            for way in ways {
                try add(way, by: maker, to: &record)
                share.endWay()
            }
            try variants.write(record, of: step.file.sha256)
        } catch let problem as ContentError {
            summary.problems.append(problem)
        } catch let error as CodingError {
            summary.problems.append(ContentError(path.string, .unreadable("\(error)")))
        } catch let error as Errno {
            summary.problems.append(ContentError(path.string, .unreadable("\(error)")))
        }
    }

    private mutating func add(_ way: VariantWay, by maker: VariantMaker, to record: inout VariantRecord) throws {
        let made: [ContentVariant]
        switch way {
        case .gzip, .zstd:
            let encoding = way == .gzip ? ContentVariant.Encoding.gzip : .zstd
            let limit = VariantMaker.limit(below: maker.file.size)
            made = try variants.add { try maker.make(encoding, limit: limit, into: $0) }.map { [$0] } ?? []
        case .patch(let sha256):
            // An older file that has been removed is not recorded as tried.
            guard let base = try base(sha256) else { return }
            let whole = record.variants.first { $0.encoding == .zstd }?.size ?? maker.file.size
            made = try patches(from: base, limit: VariantMaker.limit(below: whole), by: maker)
        }
        record.add(made, by: way)
        summary.made += made.count
    }

    private func base(_ sha256: String) throws -> PatchBase? {
        guard let path = location(sha256) else { return nil }
        let base = try PatchBase(path, limit: PatchExtent.maximumFileSize)
        return base.sha256 == sha256 ? base : nil
    }

    /// The patch, and the same as `dcz` if clients are required to support it.
    private func patches(from base: PatchBase, limit: Int, by maker: VariantMaker) throws -> [ContentVariant] {
        var framed: ContentVariant?
        let patch = try variants.add { file in
            guard let patch = try maker.make(.patch, from: base, limit: limit, into: file) else { return nil }
            if DictionaryFrame.holds(maker.file.size, dictionary: base.bytes.count) {
                framed = try variants.add { try DictionaryFrame.write(file, from: base, to: $0) }
            }
            return patch
        }
        return [patch, framed].compactMap { $0 }
    }
}

/// The content coding `dcz` (RFC 9842 §5): a skippable frame with the SHA-256 of the dictionary, then the frame of the
/// patch, byte for byte.
enum DictionaryFrame {
    /// The magic number of the skippable frame, and the length of what follows in it.
    private static let magic: [UInt8] = [0x5E, 0x2A, 0x4D, 0x18, 0x20, 0, 0, 0]
    /// Every client supports a window of 8 MB, or of 1.25 times the dictionary if that is more, but none above 128 MB.
    private static let (smallestWindow, maximumWindow) = (8_000_000, 128_000_000)

    /// Whether clients are required to support a patch as `dcz`: its window is as large as the file that it makes.
    static func holds(_ size: Int, dictionary: Int) -> Bool {
        size <= min(max(smallestWindow, dictionary + dictionary / 4), maximumWindow)
    }

    /// Writes the header and the patch into an empty file.
    static func write(_ patch: FileDescriptor, from base: PatchBase, to target: FileDescriptor) throws -> ContentVariant
    {
        var (digest, size) = (SHA256(), 0)
        func put(_ bytes: UnsafeRawBufferPointer) throws {
            digest.update(bufferPointer: bytes)
            try target.writeAll(bytes)
            size += bytes.count
        }
        try (magic + base.digest).withUnsafeBytes(put)
        try patch.seek(offset: 0, from: .start)
        let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: CodingRun.chunkBytes, alignment: 1)
        defer { chunk.deallocate() }
        while case let count = try patch.read(into: chunk), count > 0 {
            try put(UnsafeRawBufferPointer(rebasing: chunk.prefix(count)))
        }
        return ContentVariant(.dcz, from: base.sha256, size: size, sha256: digest.finalize().hex)
    }
}

/// The variants to try for a version's files.
struct VariantPlan: Hashable, Sendable {
    struct Step: Hashable, Sendable {
        var file: Manifest.File
        /// The ways in the order of trying: a patch has to be smaller than the variants before it.
        var ways: [VariantWay]
    }

    /// Each file of the version once, in the manifest's order.
    let steps: [Step]

    /// - Parameters:
    ///   - others: the bundle's other versions; only older ones are used.
    init(for version: Manifest, among others: [Manifest], _ extent: PatchExtent) {
        let bases = others.filter { $0.bundle == version.bundle && $0.version < version.version }
            .sorted { $1.version < $0.version }.prefix(max(0, extent.versions))
            .flatMap(\.files)
        let basesByPath = Dictionary(grouping: bases.filter(extent.includes), by: \.path)
        let files = Dictionary(grouping: version.files, by: \.sha256)
        var seen: Set<String> = []
        steps = version.files.filter { $0.isCompressible && seen.insert($0.sha256).inserted }.map { file in
            // Several paths may have the same bytes.
            let paths = extent.includes(file) ? (files[file.sha256] ?? []).map(\.path) : []
            var known: Set<String> = [file.sha256]
            let older = paths.flatMap { basesByPath[$0] ?? [] }.map(\.sha256).filter { known.insert($0).inserted }
            return Step(file: file, ways: [.zstd, .gzip] + older.map(VariantWay.patch))
        }
    }
}

extension Manifest.File {
    fileprivate var isCompressible: Bool { size >= VariantMaker.smallestBytes }
}

/// Limits the patches that are made.
package struct PatchExtent: Hashable, Sendable {
    /// A player who skips more updates than this downloads changed files whole.
    package static let standardVersions = 3
    /// The maximum: each version is one more patch of every changed file.
    package static let maximumVersions = 20
    /// The maximum file size, in bytes: Zstandard's decoders accept no larger window by default.
    package static let maximumFileSize = 128 << 20

    /// The number of earlier versions from which patches are made.
    package var versions: Int
    /// The largest file, older or newer, in bytes. Both are held in memory: with tables about three times this much.
    package var fileBytes: Int

    package init(versions: Int = standardVersions, fileBytes: Int = maximumFileSize) {
        self.versions = versions
        self.fileBytes = fileBytes
    }

    func includes(_ file: Manifest.File) -> Bool {
        file.size >= VariantMaker.smallestBytes && file.size <= min(fileBytes, Self.maximumFileSize)
    }
}

/// A way to make a file's download smaller: an encoding, or a patch.
enum VariantWay: Hashable, Sendable {
    case gzip
    case zstd
    /// A patch from the bytes with this SHA-256, also as `dcz`.
    case patch(from: String)
}

extension VariantWay: Codable {
    /// Decodes the encoding's name, or the SHA-256 of the older file.
    init(from decoder: any Decoder) throws {
        switch try decoder.singleValueContainer().decode(String.self) {
        case ContentVariant.Encoding.gzip.rawValue: self = .gzip
        case ContentVariant.Encoding.zstd.rawValue: self = .zstd
        case let sha256: self = .patch(from: sha256)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .gzip: try container.encode(ContentVariant.Encoding.gzip.rawValue)
        case .zstd: try container.encode(ContentVariant.Encoding.zstd.rawValue)
        case .patch(let sha256): try container.encode(sha256)
        }
    }
}
