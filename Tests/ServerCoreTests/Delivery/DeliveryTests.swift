import Content
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import ServerTestSupport
import StrictJSON
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Whoever sends the bytes, this server decides who gets them.
@Suite struct DeliveryTests {
    private static let accel = ["QUARTERMASTER_DELIVERY": "accel"]

    @Test func `nginx is told where a file is`() async throws {
        try await DownloadServer.run(environment: Self.accel) { shop in
            for name in DownloadServer.sizes.keys {
                let (link, tag) = (try shop.link(name), "\"\(try shop.sha256(name))\"")
                for headers in [[:], [.range: "bytes=0-0"], [.ifNoneMatch: "\"x\""]] as [HTTPFields] {
                    guard headers[.range] == nil || name != "empty.txt" else { continue }
                    for _ in 1...2 {
                        let answer = try await shop.world.call(.get, link, headers: headers)
                        #expect(answer.status == 200 && answer.bytes.isEmpty)
                        #expect(answer.headers[.accelRedirect] == "/internal-content/downloads/1.0.0/\(name)")
                        #expect(answer.headers[.eTag] == tag)
                    }
                }
                let same = try await shop.world.call(.get, link, headers: [.ifNoneMatch: tag])
                #expect(same.status == 304 && same.headers[.accelRedirect] == nil)
                let range = "bytes=\(DownloadServer.openBytes)-"
                let beyond = try await shop.world.call(.get, link, headers: [.range: range])
                #expect(beyond.status == 416 && beyond.headers[.accelRedirect] == nil)
                let forged = try await shop.world.call(.get, link + "x")
                #expect(forged.status == 403 && forged.headers[.accelRedirect] == nil)
            }
            #expect(shop.routes.services.cache.count == 0)
        }
    }

    @Test(
        arguments: [
            ("content/a/1.0.0/b.txt", "content", "/internal-content/a/1.0.0/b.txt"),
            ("/srv/content/a/1.0.0/d/b.txt", "/srv/content/", "/internal-content/a/1.0.0/d/b.txt"),
            ("/c/a/1.0.0/a b%?#é&.txt", "/c", "/internal-content/a/1.0.0/a%20b%25%3F%23%C3%A9%26.txt"),
            ("/content2/a", "/content", nil), ("/content", "/content", nil), ("/etc/passwd", "content", nil),
        ] as [(String, String, String?)])
    func `The internal path of a file is the one within the content folder`(file: String, folder: String, path: String?)
    {
        #expect(ContentSender.internalPath(of: file, in: folder) == path)
    }

    @Test func `A client is redirected to the object store`() async throws {
        try await DownloadServer.run { shop in
            let (link, url) = (try shop.link("small.txt"), "https://bucket.example.com/x?signature=y")
            let (router, table) = (Router(context: ServerContext.self), RouteTable())
            router.add(
                middleware: ProblemMiddleware(
                    metrics: RequestMetrics(ServerMetrics().registry), ids: shop.routes.services.ids, table: table,
                    lines: shop.routes.services.lines))
            ContentRoutes(
                content: Bucket(url: url), cache: shop.routes.services.cache, grants: shop.routes.services.grants,
                delivery: .redirect,
                folder: "", limits: ConnectionLimits(), clock: { World.start }, sent: ServerMetrics().contentSent
            ).add(to: shop.routes.services.groups(of: router, table))
            try await Application(router: router, logger: World.quiet).test(.router) { client in
                for method in [HTTPRequest.Method.get, .head] {
                    try await client.execute(uri: link, method: method) { answer in
                        #expect(answer.status == .seeOther)
                        #expect(answer.headers[.location] == url + (method == .head ? "-head" : ""))
                        #expect(answer.headers[.cacheControl] == "no-store")
                    }
                }
                try await client.execute(uri: link + "x", method: .get) { #expect($0.status == .forbidden) }
            }
        }
    }

    private struct Bucket: ContentRepository {
        let url: String

        func bundles() -> [BundleName] { [] }
        func manifest(of bundle: BundleName, version: SemanticVersion?) -> Manifest? { nil }
        func records(of bundle: BundleName) -> [VersionRecord] { [] }
        func variants(of sha256: String) -> [ContentVariant] { [] }
        func size(ofNamed sha256: String) -> Int? { nil }
        func refresh(at date: Date) -> ContentChanges { ContentChanges() }
        func reload(at date: Date) -> ContentChanges { ContentChanges() }
        var refreshInterval: Duration { .seconds(1) }
        var problems: [ContentError] { [] }
        var revision: Int { 0 }
        var variantsRevision: Int { 0 }
        func location(of sha256: String) -> ContentLocation? { .url(get: url, head: url + "-head") }
    }

    @Test func `A delivery setting that does not fit the content is refused`() async throws {
        for (value, error) in [("redirect", "object store"), ("nginx", "local, accel")] {
            let sources = try await SettingSources(
                flags: [:], environment: ["QUARTERMASTER_DELIVERY": value], file: nil)
            let thrown = #expect(throws: SettingError.self) { _ = try Settings(sources) }
            #expect(thrown?.description.contains(error) == true)
        }
    }
}
