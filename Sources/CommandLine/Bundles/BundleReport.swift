import Content
import InAppPurchase
import ServerCore
import ServerHTTP

/// The published bundles, the products that name them, and the problems.
struct BundleReport: Sendable {
    struct Bundle: Encodable, Sendable {
        struct Version: Encodable, Sendable {
            var version: String
            var files: Int
            var bytes: Int
            var state: PublicationState
            /// Omitted if it is not.
            var essential: Bool?
            /// Omitted if it is for all.
            var languages: [String]?
        }

        struct Product: Encodable, Sendable {
            var app: BundleID
            var id: ProductID
        }

        var bundle: BundleName
        /// In ascending order.
        var versions: [Version]
        /// In the order of the catalog.
        var products: [Product]

        /// A row of cells for each version.
        func rows(for output: TextOutput) -> [[String]] {
            versions.map {
                let products = products.map(\.id.text).joined(separator: ",")
                return [
                    bundle.text, $0.version, "\($0.files)", output.size($0.bytes), products, $0.state.rawValue,
                    $0.essential == true ? "yes" : "", ($0.languages ?? []).joined(separator: ","),
                ]
            }
        }
    }

    /// Sorted by name.
    let bundles: [Bundle]
    /// One line each.
    private(set) var problems: [String]
    /// One line for each file that is served and could not be published.
    var warnings: [String] { content.warnings.map(\.description) }
    private let content: ContentInspection

    /// - Parameter path: the catalog's path, for the messages.
    init(content: ContentInspection, catalog: Catalog, path: String) {
        let versions = Dictionary(grouping: content.records, by: \.manifest.bundle)
        bundles = versions.sorted { $0.key < $1.key }.map { Bundle($0.key, $0.value, namedBy: catalog) }
        let missing = catalog.missingBundles(among: Array(Set(content.manifests.map(\.bundle))))
        problems = content.problems.map(\.description) + missing.map { "\(path): \($0.error)" }
        self.content = content
    }

    /// The report with the problems that reading every file again finds.
    /// - Throws: ``/ServerCore/CommandError`` if the object store does not answer.
    func verified() async throws -> BundleReport {
        var report = self
        do {
            report.problems += try await content.verify().map(\.description)
        } catch let refusal as PublishRefusal {
            throw CommandError("content: \(refusal)")
        }
        return report
    }

    /// - Throws: ``/ServerCore/CommandError`` with the first problem, and the number of further ones.
    func requireNoProblems() throws {
        guard let first = problems.first else { return }
        throw CommandError(first + (problems.count > 1 ? " (and \(problems.count - 1) more)" : ""))
    }
}

extension BundleReport {
    struct Summary: Encodable {
        var bundles: Int
        var versions: Int
        var files: Int
        var bytes: Int
        var problems: [String]

        var text: String {
            [
                bundles.counted("bundle"), versions.counted("version"), files.counted("file"), bytes.counted("byte"),
                problems.count.counted("problem"),
            ].joined(separator: ", ")
        }
    }

    var summary: Summary {
        let versions = bundles.flatMap(\.versions)
        return Summary(
            bundles: bundles.count, versions: versions.count, files: versions.map(\.files).reduce(0, +),
            bytes: versions.map(\.bytes).reduce(0, +), problems: problems)
    }
}

extension BundleReport.Bundle {
    fileprivate init(_ name: BundleName, _ records: [VersionRecord], namedBy catalog: Catalog) {
        bundle = name
        versions = records.map { record in
            let manifest = record.manifest
            return Version(
                version: manifest.version.description, files: manifest.files.count, bytes: manifest.bytes,
                state: record.state, essential: manifest.listedEssential,
                languages: manifest.listedLanguages)
        }
        products = catalog.apps.flatMap { app in
            app.products.filter { $0.bundles.contains(name) }.map { Product(app: app.bundleID, id: $0.id) }
        }
    }
}

extension RemoteServer {
    /// The bundles of the server with all their versions.
    func listedBundles() async throws -> [BundleReport.Bundle] {
        var all: [BundleReport.Bundle] = []
        for entry in try await bundles() {
            all.append(BundleReport.Bundle(entry, try await versions(of: entry.bundle)))
        }
        return all
    }
}

extension BundleReport.Bundle {
    fileprivate init(_ entry: AdminBundleListBody.Entry, _ versions: [VersionBody]) {
        bundle = entry.bundle
        self.versions = versions.map {
            Version(
                version: $0.version, files: $0.files, bytes: $0.bytes, state: $0.state, essential: $0.essential,
                languages: $0.languages)
        }
        products = entry.products.map { Product(app: $0.app, id: $0.product) }
    }
}
