import Content
import Foundation
import Hummingbird
import InAppPurchase
import ServerCore
import ServerHTTP

/// The acts on versions of bundles: each has a page that shows the state after it.
struct VersionActPages: Sendable {
    let desk: BundleServices

    func add(to pages: PageRouter) {
        for act in VersionAct.all {
            let path = "/admin/bundles/{name}/{version}/\(act.path)"
            pages.formPage(path, .bundles) { visit in
                return .page(try await confirmation(act, try await desk.record(visit), visit))
            }
            pages.act(path, .bundles) { visit, _ in
                let record = try await desk.record(visit)
                try await desk.publishing.apply(by: visit.context.actor) { try await act.act($0, record, $1) }
                return .redirect("\(BundleServices.path(record.manifest.bundle))?done=\(act.path)")
            }
        }
    }

    /// The notice on a page after an act; `nil` for an unknown name.
    static func notice(_ done: String?) -> Notice? {
        let text =
            done == "uploaded"
            ? "The files have been uploaded. Nobody is offered the version before you publish it."
            : VersionAct.all.first { $0.path == done }?.done
        return text.map { Notice($0, .good) }
    }

    private func confirmation(
        _ act: VersionAct, _ record: VersionRecord, _ visit: Visit
    ) async throws -> PageContent {
        let (manifest, path) = (record.manifest, BundleServices.path(record))
        guard act.isPossible(record) else {
            return PageContent(
                act.title, notice: Notice("The version is in another state by now.", .waiting),
                [Block(links: [Link("Back to the version", path)])])
        }
        let programs =
            record.state == .draft
            ? try await desk.programs(among: manifest.files.prefix(BundlePages.maximumFiles), of: manifest) : nil
        return PageContent(
            act.title,
            [
                Block(
                    facts: [
                        Fact("Version", .link("\(manifest.bundle) \(manifest.version)", path)),
                        Fact("Now", record.stateCell), Fact("Offered to", record.audienceCell),
                        Fact("After it", Cell(act.after)),
                    ] + [programs].compactMap { $0 }),
                Block(
                    form: .act(
                        "\(path)/\(act.path)", csrf: visit.csrf, [], button: act.title, isDangerous: act.isDangerous),
                    links: [Link("Back without changes", path)]),
            ])
    }
}
