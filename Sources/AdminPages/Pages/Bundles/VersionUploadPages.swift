import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

/// Uploads the files of a new version with a form, as a draft.
struct VersionUploadPages: Sendable {
    static let path = "/admin/new-version"
    /// Larger versions are for the command line, which copies files, and for the API, whose uploads can be resumed.
    static let maximumBytes = 1 << 30

    /// The files that a refusal names.
    private static let maximumNamed = 20

    let desk: BundleServices
    let random: RandomBytes

    func add(to pages: PageRouter) {
        pages.formPage("/admin/new-version", .bundles) { visit in
            return .page(content(visit))
        }
        pages.upload("/admin/new-version", .bundles) { visit, secret in
            let uploads = try desk.publishing.uploadTarget
            var receiver = VersionReceiver(
                visit: visit, secret: secret, uploads: uploads, content: desk.publishing.content, random: random)
            do { return try await drafted(&receiver, visit) } catch {
                guard let refused = RefusedForm(error, receiver.typed, visit),
                    var content = await refused.content(on: { .page(content($0)) })
                else { throw error }
                let again = Self.again(receiver.chosen)
                for index in content.blocks.indices {
                    content.blocks[index].form = content.blocks[index].form?.marked(again)
                }
                return .page(content)
            }
        }
    }

    /// The words at the field for files after a refusal: browsers forget what was chosen.
    private static func again(_ chosen: [String]) -> [String: String] {
        guard !chosen.isEmpty else { return [:] }
        let more = chosen.count > maximumNamed ? " and \(chosen.count - maximumNamed) more" : ""
        let names = chosen.prefix(maximumNamed).joined(separator: ", ")
        return ["files": "Choose them again, since browsers forget them: \(names)\(more)."]
    }

    private func drafted(_ receiver: inout VersionReceiver, _ visit: Visit) async throws -> PageAnswer {
        let plan = try await receiver.receive()
        let manifest = try plan.manifest(files: receiver.files)
        let outcome = try await desk.publishing.apply(by: visit.context.actor) { publisher, act in
            try await publisher.draft(manifest, isPatch: plan.isPatch, channel: plan.channel, act)
        }
        return .redirect("\(BundleServices.path(outcome.record))?done=uploaded")
    }

    private func content(_ visit: Visit) -> PageContent {
        guard desk.publishing.uploads != nil else {
            return PageContent(
                "Add a version",
                [
                    Block(
                        text:
                            "The content is in a bucket, to which the command line publishes: quartermaster bundles publish."
                    )
                ])
        }
        return PageContent(
            "Add a version",
            [
                Block(
                    text:
                        "The files are stored as a draft, which you look at and publish afterwards. All together up to "
                        + "\(Self.maximumBytes.sizeText), within \(Limits.bodyTime.nanoseconds / 60_000_000_000) minutes; larger ones by "
                        + "the command line.",
                    form: .upload(Self.path, csrf: visit.csrf, Self.fields(visit), button: "Upload"),
                    links: [Link("Back without changes", "/admin/bundles")])
            ])
    }

    private static func fields(_ visit: Visit) -> [Field] {
        [
            .input(
                "Bundle", name: "bundle", value: visit.query("bundle") ?? "", hint: "An existing one, or a new name."),
            .input("Version", name: "version", hint: "Higher than all previous versions, such as 1.2.0."),
            .input(
                "Lowest app version", name: "minimumAppVersion", hint: "Such as 1.10; empty for all.", isRequired: false
            ),
            .input("Highest app version", name: "maximumAppVersion", hint: "Empty for all.", isRequired: false),
            .input("Language", name: "locale", hint: "Such as en or zh-Hant; empty for none.", isRequired: false),
            .input(
                "For players of these languages", name: "languages", hint: "Such as en, zh-Hant; empty for all.",
                isRequired: false),
            .choice(
                "Downloaded", name: "essential", [("", "when the app asks"), ("yes", "at once: it is essential")]),
            .choice(
                "Offered to", name: "channel",
                [("", "everybody; a pre-release to beta accounts"), ("stable", "everybody"), ("beta", "beta accounts")]),
            .choice(
                "Kind", name: "patch", [("", "the newest version"), ("yes", "a patch of an older one")],
                hint: "A patch is below the newest version, and the highest with its first two numbers."),
            .files("Files", name: "files", hint: "They lie side by side in the version."),
            .files(
                "Or a folder", name: "folder", hint: "With its subfolders; its own name is left out.", isFolder: true),
        ]
    }
}
