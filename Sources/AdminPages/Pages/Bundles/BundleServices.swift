import Content
import Foundation
import InAppPurchase
import NIOPosix
import ServerCore
import ServerHTTP

/// The bundles as pages work with them.
package struct BundleServices: Sendable {
    let publishing: Publishing
    let publications: PublicationDates
    let live: LiveCatalog

    static func path(_ bundle: BundleName) -> String { "/admin/bundles/\(bundle.text.pathEncoded)" }

    static func path(_ record: VersionRecord) -> String {
        "\(path(record.manifest.bundle))/\(record.manifest.version.description.pathEncoded)"
    }

    /// The version that the path names.
    ///
    /// - Throws: 404 if there is none.
    func record(_ visit: Visit) async throws -> VersionRecord {
        let name = try visit.context.pathPart("name", as: BundleName.self)
        let text = try visit.context.pathPart("version")
        let records = try await publications.records(of: name, at: visit.date)
        guard let record = records.first(where: { $0.manifest.version.description == text }) else {
            throw PublishRefusal.unknownVersion
        }
        return record
    }

    /// The version before one: the highest below it that was published; `nil` if it is the first.
    func version(before record: VersionRecord, _ visit: Visit) async throws -> VersionRecord? {
        try await publications.records(of: record.manifest.bundle, at: visit.date)
            .last { $0.manifest.version < record.manifest.version && $0.state != .draft }
    }

    /// A file of a version, or of a draft; `nil` if it is not on this machine, or not complete.
    func open(_ file: Manifest.File) async throws -> OpenContent? {
        let location = try await publishing.content.location(of: file.sha256)
        let uploads = publishing.uploads
        return try await NIOThreadPool.singleton.runIfActive {
            if case .file(let path, _)? = location { return OpenContent(path: path, size: file.size) }
            return uploads?.path(of: file.sha256, size: file.size).flatMap { OpenContent(path: $0, size: file.size) }
        }
    }

    /// The programs and scripts among files of a version; `nil` if there are none.
    func programs(among files: some Collection<Manifest.File>, of manifest: Manifest) async throws -> Fact? {
        let named = Manifest(bundle: manifest.bundle, version: manifest.version, files: Array(files))
        let programs = try await publishing.publisher.programs(in: named)
        let names = programs.prefix(3).joined(separator: ", ") + (programs.count > 3 ? ", …" : "")
        let note = "\(names); App Review refuses apps that download code which changes what they do (guideline 2.5.2)"
        return programs.isEmpty ? nil : Fact("Programs and scripts", .badge("\(programs.count)", .waiting, note: note))
    }
}

extension VersionRecord {
    var stateCell: Cell {
        switch state {
        case .draft: .badge("Draft", .waiting, note: "not offered, not readable")
        case .published: .badge("Published", .good)
        case .yanked: .badge("Yanked", .bad, note: "readable for those who have it")
        }
    }

    /// The clients that the version is for.
    var audienceCell: Cell {
        let (least, most) = (manifest.minimumAppVersion, manifest.maximumAppVersion)
        let apps =
            switch (least, most) {
            case (let least?, let most?): "apps from \(least) to \(most)"
            case (let least?, nil): "apps from \(least)"
            case (nil, let most?): "apps up to \(most)"
            case (nil, nil): "all apps"
            }
        let channel =
            channel.map { $0 == .beta ? "beta accounts" : "everybody" }
            ?? (manifest.version.isPreRelease ? "beta accounts once there is a release" : "everybody")
        let languages = manifest.languages.isEmpty ? nil : "for \(manifest.languages.joined(separator: "/"))"
        let facts = [apps, manifest.locale, languages, manifest.isEssential ? "essential" : nil]
        return Cell(channel, note: facts.compactMap { $0 }.joined(separator: ", "))
    }
}
