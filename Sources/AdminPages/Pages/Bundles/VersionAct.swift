import Content
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP

/// An act of an administrator on a version of a bundle.
struct VersionAct: Sendable {
    /// The last part of its path, which is also the value of `done` in the query afterwards.
    let path: String
    let title: String
    /// The state after it, in a sentence.
    let after: String
    /// The sentence on the page when it is done.
    let done: String
    var isDangerous = false
    let isPossible: @Sendable (VersionRecord) -> Bool
    let act: @Sendable (ContentPublisher, VersionRecord, PublishingAct) async throws -> Void

    static let all = [
        VersionAct(
            path: "publish", title: "Publish", after: "It is offered to those it is meant for from now on.",
            done: "The version was published.", isPossible: { $0.state == .draft },
            act: { _ = try await $0.publish($1.manifest.version, of: $1.manifest.bundle, $2) }),
        VersionAct(
            path: "promote", title: "Offer it to everybody", after: "Everybody is offered it, not only beta accounts.",
            done: "Everybody is offered the version.",
            isPossible: {
                $0.state == .published && ($0.channel == .beta || $0.channel == nil && $0.manifest.version.isPreRelease)
            }, act: { _ = try await $0.promote($1.manifest.version, of: $1.manifest.bundle, $2) }),
        VersionAct(
            path: "yank", title: "Yank",
            after: """
                It is no longer offered; players are offered the highest version before it. Whoever has it keeps it.
                """,
            done: "The version was yanked.", isDangerous: true, isPossible: { $0.state == .published },
            act: { _ = try await $0.yank($1.manifest.version, of: $1.manifest.bundle, $2) }),
        VersionAct(
            path: "restore", title: "Restore", after: "It is offered again.", done: "The version is offered again.",
            isPossible: { $0.state == .yanked },
            act: { _ = try await $0.restore($1.manifest.version, of: $1.manifest.bundle, $2) }),
        VersionAct(
            path: "discard", title: "Discard", after: "The draft is deleted, and its number can be used again.",
            done: "The draft was discarded.", isDangerous: true, isPossible: { $0.state == .draft },
            act: { try await $0.discard($1.manifest.version, of: $1.manifest.bundle, $2) }),
    ]

    /// Links to what can be done with a version.
    static func links(for record: VersionRecord) -> [Link] {
        all.filter { $0.isPossible(record) }.map { Link($0.title, "\(BundleServices.path(record))/\($0.path)") }
    }
}
