import Content
import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import NIOCore
import ServerHTTP

/// The versions of a bundle: drafts whose files are uploaded, published versions, and yanked ones.
struct BundleVersionRoutes: RouteFeature {
    let publishing: Publishing

    func add(to groups: RouteGroups) {
        let versions = groups.admin.group("bundles/{name}/versions")
        versions.on(.get, "", RouteFacts("listBundleVersions")) { _, context in try await list(context) }
        let draft = RouteFacts("draftBundleVersion", reads: .json(DraftBody.self))
        versions.on(.post, "", draft) { try await self.draft($0, $1) }
        versions.on(.delete, "{version}", RouteFacts("discardBundleVersion")) { _, context in try await discard(context)
        }
        versions.on(.post, "{version}/publish", RouteFacts("publishBundleVersion")) { _, context in
            try await publish(context)
        }
        versions.on(.post, "{version}/yank", RouteFacts("yankBundleVersion")) { _, context in
            try await change(context) { $0.yank }
        }
        versions.on(.post, "{version}/promote", RouteFacts("promoteBundleVersion")) { _, context in
            try await change(context) { $0.promote }
        }
        versions.on(.post, "{version}/restore", RouteFacts("restoreBundleVersion")) { _, context in
            try await change(context) { $0.restore }
        }
    }

    private func list(_ context: ServerContext) async throws -> Response {
        let name = try context.pathPart("name", as: BundleName.self)
        let records = try await publishing.content.records(of: name)
        guard !records.isEmpty else { throw PublishRefusal.unknownVersion }
        return try .adminJSON(VersionListBody(bundle: name, versions: records.map { VersionBody($0) }))
    }

    private func draft(_ request: Request, _ context: ServerContext) async throws -> Response {
        let name = try context.pathPart("name", as: BundleName.self)
        _ = try publishing.uploadTarget
        let body = try await request.decodedBody(DraftBody.self, context)
        let plan = try body.plan(name)
        let manifest = try plan.manifest(files: body.files)
        let outcome = try await publishing.apply(by: context.actor) { publisher, act in
            try await publisher.draft(manifest, isPatch: plan.isPatch, channel: plan.channel, act)
        }
        return try .adminJSON(
            VersionBody(outcome.record, missing: outcome.missing, programs: outcome.programs),
            status: outcome.isChanged ? .created : .ok)
    }

    private func publish(_ context: ServerContext) async throws -> Response {
        do {
            return try await change(context) { $0.publish }
        } catch PublishRefusal.missing(let hashes) {
            return try MissingContentBody(missing: hashes).response
        }
    }

    private func discard(_ context: ServerContext) async throws -> Response {
        let (name, version) = (try context.pathPart("name", as: BundleName.self), try version(context))
        try await publishing.apply(by: context.actor) { publisher, act in
            try await publisher.discard(version, of: name, act)
        }
        return Response(status: .noContent)
    }

    private typealias Act = @Sendable (SemanticVersion, BundleName, PublishingAct) async throws -> PublishingOutcome

    private func change(_ context: ServerContext, _ act: (ContentPublisher) -> Act) async throws -> Response {
        let (name, version) = (try context.pathPart("name", as: BundleName.self), try version(context))
        let outcome = try await publishing.apply(by: context.actor) { publisher, date in
            try await act(publisher)(version, name, date)
        }
        return try .adminJSON(VersionBody(outcome.record, programs: outcome.programs))
    }

    private func version(_ context: ServerContext) throws -> SemanticVersion {
        guard let version = SemanticVersion(try context.pathPart("version")) else {
            throw PublishRefusal.unknownVersion
        }
        return version
    }
}

/// The problem document (RFC 9457) with the files that are to be uploaded before a draft can be published.
struct MissingContentBody: Encodable {
    var type = "urn:quartermaster:problem:content_missing"
    var title = "The version has missing files"
    var status = 409
    var code = "content_missing"
    var detail = "Upload them, then publish again."
    var finish = false
    var missing: [String]

    init(missing: [String]) { self.missing = missing }

    var response: Response {
        get throws {
            var response = try Response.adminJSON(self, status: .conflict)
            response.headers[.contentType] = "application/problem+json"
            return response
        }
    }
}
