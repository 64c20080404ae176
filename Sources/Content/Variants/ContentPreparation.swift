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
