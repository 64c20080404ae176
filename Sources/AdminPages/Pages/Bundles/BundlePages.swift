import Content
import Foundation
import Hummingbird
import InAppPurchase
import NIOPosix
import ServerCore
import ServerHTTP

/// The bundles, their versions, and which version a reader is offered.
struct BundlePages: Sendable {
    private static let rows = 50
    /// A version may have more files than anybody reads in a page.
    static let maximumFiles = 500

    let desk: BundleServices

    func add(to pages: PageRouter) {
        pages.page("/admin/bundles", .bundles) { .page(try await list($0)) }
        pages.page("/admin/bundles/{name}", .bundles) { .page(try await bundle($0)) }
        pages.page("/admin/bundles/{name}/{version}", .bundles) { .page(try await version($0)) }
    }

    private func list(_ visit: Visit) async throws -> PageContent {
        let after = visit.query("after").map(BundleName.init(stored:))
        let page = try await AdminBundleListBody(
            desk.publishing.content, desk.publications, desk.live.current.catalog, after: after, limit: Self.rows,
            at: visit.date)
        let links = [
            visit.mayChange ? Link("Add a version", VersionUploadPages.path) : nil,
            after == nil ? nil : Link("The first ones", "/admin/bundles"),
            page.next.map { Link("Further ones", "/admin/bundles?after=\($0.pathEncoded)") },
        ]
        return PageContent(
            "Bundles",
            [
                Block(
                    table: Table(
                        "By name", columns: ["Bundle", "Everybody is offered", "Versions", "Products"],
                        rows: page.bundles.map(row), empty: after == nil ? "There is none yet." : "None follows."),
                    links: links.compactMap { $0 })
            ])
    }

    private func row(_ entry: AdminBundleListBody.Entry) -> [Cell] {
        let catalog = desk.live.current.catalog
        let uses =
            entry.openIn.map { "everybody in \($0)" } + entry.products.map { catalog.words($0.product, of: $0.app) }
        return [
            .link(entry.bundle.text, BundleServices.path(entry.bundle)),
            entry.offered.map { Cell($0, note: entry.bytes?.sizeText) } ?? .badge("None offered", .waiting),
            Cell("\(entry.versions)", note: Self.drafts(entry.drafts)),
            Cell(uses.isEmpty ? "none" : uses.prefix(Self.rows / 5).joined(separator: ", ")),
        ]
    }

    private static func drafts(_ count: Int) -> String? {
        count == 0 ? nil : count == 1 ? "one is a draft" : "\(count) are drafts"
    }

    /// The products that give access to it, with the apps that give it to everybody.
    private func products(with bundle: BundleName) -> String {
        let apps = desk.live.current.catalog.apps
        let open = apps.filter { $0.openBundles.contains(bundle) }.map { "everybody in \($0.bundleID)" }
        let products = apps.flatMap(\.products).filter { $0.bundles.contains(bundle) }.map(\.words)
        let named = (open + products).prefix(Self.rows / 5)
        return named.isEmpty ? "none" : named.joined(separator: ", ")
    }

    private func bundle(_ visit: Visit) async throws -> PageContent {
        let name = try visit.context.pathPart("name", as: BundleName.self)
        let records = try await desk.publications.records(of: name, at: visit.date)
        guard !records.isEmpty else { throw PublishRefusal.unknownVersion }
        let before = visit.query("before").flatMap { SemanticVersion($0) }
        let older = records.filter { record in before.map { record.manifest.version < $0 } ?? true }
        let shown = older.suffix(Self.rows).reversed()
        let path = BundleServices.path(name)
        let next =
            older.count > shown.count
            ? shown.last.map {
                Link("Earlier versions", "\(path)?before=\($0.manifest.version.description.pathEncoded)")
            } : nil
        let add =
            visit.mayChange ? Link("Add a version", "\(VersionUploadPages.path)?bundle=\(name.text.pathEncoded)") : nil
        return PageContent(
            name.text, notice: VersionActPages.notice(visit.query("done")),
            [
                Block(facts: [Fact("Products", Cell(products(with: name)))], links: [add].compactMap { $0 }),
                Block(
                    "Versions",
                    table: Table(
                        "The highest first", columns: ["Version", "State", "Offered to", "Published", "Size"],
                        rows: shown.map { row($0, visit) }),
                    links: [before == nil ? nil : Link("The highest ones", path), next].compactMap { $0 }),
                offer(records, path, visit),
            ])
    }

    private func row(_ record: VersionRecord, _ visit: Visit) -> [Cell] {
        [
            .link("\(record.manifest.version)", BundleServices.path(record)), record.stateCell, record.audienceCell,
            record.state == .draft
                ? Cell("not yet") : record.publishedAt.map { .time(visit.time($0).moment) } ?? Cell(),
            Cell(record.manifest.bytes.sizeText, note: record.manifest.files.count.counted("file")),
        ]
    }

    /// Tells which version a reader is offered.
    private func offer(_ records: [VersionRecord], _ path: String, _ visit: Visit) -> Block {
        let (text, isBeta) = (visit.query("appVersion"), visit.query("beta") == "yes")
        let appVersion = Availability.Client(appVersion: text).appVersion
        let newest = VersionChoice(records, for: VersionChoice.Reader(appVersion: appVersion, isBeta: isBeta)).newest
        let reader = "\(isBeta ? "A beta account" : "Everybody") with \(text.map { "app \($0)" } ?? "any app")"
        return Block(
            "Which version is offered?",
            facts: [
                Fact(
                    reader, newest.map { Cell.link("\($0.manifest.version)", BundleServices.path($0)) } ?? Cell("none"))
            ],
            form: .query(
                path,
                [
                    .input(
                        "App version", name: "appVersion", value: text ?? "", hint: "Such as 1.10; empty for any.",
                        isRequired: false),
                    .choice(
                        "Account", name: "beta", [("", "any"), ("yes", "on the channel beta")],
                        selected: isBeta ? "yes" : ""),
                ], button: "Show"))
    }

    private func version(_ visit: Visit) async throws -> PageContent {
        let record = try await desk.record(visit)
        let (manifest, files) = (record.manifest, record.manifest.files.prefix(Self.maximumFiles))
        var facts = [
            Fact("Bundle", .link(manifest.bundle.text, BundleServices.path(manifest.bundle))),
            Fact("State", record.stateCell), Fact("Offered to", record.audienceCell),
            Fact("Size", Cell(manifest.bytes.sizeText, note: manifest.files.count.counted("file"))),
            Fact("Smaller forms", try await variants(of: files)),
        ]
        if let programs = try await desk.programs(among: files, of: manifest) { facts.append(programs) }
        if record.state == .draft, let uploads = desk.publishing.uploads {
            let missing = try await NIOThreadPool.singleton.runIfActive {
                files.count { !uploads.isWhole($0.sha256, size: $0.size) }
            }
            facts.append(
                Fact(
                    "Missing files",
                    missing == 0 ? .badge("None", .good) : .badge("\(missing)", .bad, note: "it cannot be published")))
        }
        let changes = VersionChanges(of: manifest, since: try await desk.version(before: record, visit)?.manifest)
        let look = Link("Look at the files", "\(BundleServices.path(record))/preview")
        let rows = files.map { [Cell($0.path), Cell($0.size.sizeText), changes.cell($0), .code($0.sha256)] }
        return PageContent(
            "\(manifest.bundle) \(manifest.version)", notice: VersionActPages.notice(visit.query("done")),
            [
                Block(facts: facts, links: [look] + (visit.mayChange ? VersionAct.links(for: record) : [])),
                changes.removed,
                Block(
                    "Files",
                    table: Table(
                        manifest.files.count > files.count ? "The first \(files.count) by path" : "By path",
                        columns: ["Path", "Size", changes.title, "SHA-256"], rows: Array(rows))),
            ].compactMap { $0 })
    }

    /// The number of compressed forms and of patches of files. Forms compressed with an older file as their dictionary,
    /// which clients that take patches get too, are not counted.
    private func variants(of files: some Collection<Manifest.File>) async throws -> Cell {
        var (compressed, patches, bytes) = (0, 0, 0)
        for file in files {
            for variant in try await desk.publishing.content.variants(of: file.sha256) {
                if variant.from == nil {
                    compressed += 1
                } else if variant.encoding == .patch {
                    (patches, bytes) = (patches + 1, bytes.saturatingAdding(variant.size))
                }
            }
        }
        return Cell(
            "\(patches) \(patches == 1 ? "patch" : "patches"), \(compressed) compressed files",
            note: patches == 0 ? nil : "all patches together: \(bytes.sizeText)")
    }
}
