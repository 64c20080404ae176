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
