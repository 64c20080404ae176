import AsyncHTTPClient
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InAppPurchase
import NIOCore
import NIOEmbedded
import NIOHTTP1
import ServerTestSupport
import StrictJSON
import Testing

@testable import CommandLine
@testable import Content
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// Files that change while they are sent: the client gets the bytes of the hash, or a broken end.
@Suite struct ChangedFileTests {
    /// More than the sockets' buffers hold.
    private static let size = 32 << 20

    /// Adds a file of the letter x.
    ///
    /// - Returns: its place.
    private static func addHugeFile(to shop: DownloadServer) async throws -> URL {
        try await shop.addFile("huge.txt", Data(repeating: UInt8(ascii: "x"), count: size))
    }

    private static func change(_ file: URL, to bytes: Data, isCutShort: Bool = true) throws {
        let handle = try FileHandle(forWritingTo: file)
        if isCutShort, bytes.count < size { try handle.truncate(atOffset: UInt64(bytes.count)) }
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// Requests the file, changes it when its first bytes have come, and returns everything that comes then.
    private static func download(
        _ link: String, port: Int?, whileChanging file: URL, to bytes: Data
    ) async throws -> String {
        let requests =
            RawConnection.request("GET", link, [], tag: "") + RawConnection.request("GET", "/health", [], tag: "")
        return try await RawConnection.open(port: port) { inbound, outbound in
            try await outbound.write(ByteBuffer(string: requests))
            var iterator = inbound.makeAsyncIterator()
            var received = try #require(try await iterator.next())
            try change(file, to: bytes)
            do {
                while let part = try await iterator.next() { received.writeImmutableBuffer(part) }
            } catch {}
            return String(buffer: received)
        }
    }

    @Test(arguments: [true, false])
    func `A file that is cut short while it is sent ends the connection`(isFast: Bool) async throws {
        try await DownloadServer.run { shop in
            let file = try await Self.addHugeFile(to: shop)
            let (link, sha256) = (try shop.link("huge.txt"), try shop.sha256("huge.txt"))
            #expect(try await shop.world.call(.get, link, headers: [.range: "bytes=0-0"]).status == 206)
            #expect(shop.routes.services.cache.file(sha256, at: shop.world.clock.now) != nil)
            let received = try await Self.download(
                link, port: isFast ? shop.world.port : shop.plainPort, whileChanging: file, to: Data("other".utf8))
            // The response to the second request is not the rest of the first.
            #expect(received.statuses == [200] && received.utf8.count < Self.size && !received.contains("other"))
        }
    }

    @Test func `Bytes written into a file while it is sent are not sent`() async throws {
        try await DownloadServer.run { shop in
            let file = try await Self.addHugeFile(to: shop)
            let other = Data(repeating: UInt8(ascii: "y"), count: Self.size)
            let received = try await Self.download(
                try shop.link("huge.txt"), port: shop.plainPort, whileChanging: file, to: other)
            #expect(received.statuses == [200] && received.utf8.count < Self.size)
            let body = try #require(received.firstRange(of: "\r\n\r\n")).upperBound
            #expect(received[body...].utf8.allSatisfy { $0 == UInt8(ascii: "x") })
        }
    }

    @Test(arguments: [HTTPClient.Configuration.HTTPVersion.automatic, .http1Only])
    func `Under TLS a changed file ends the response with an error`(
        version: HTTPClient.Configuration.HTTPVersion
    ) async throws {
        let identity = try ServerIdentity()
        try await withFolder { folder in
            try await DownloadServer.run(environment: try identity.write(to: folder)) { shop in
                let file = try await Self.addHugeFile(to: shop)
                let port = try #require(shop.world.port)
                try await identity.withClient(version) { client in
                    let request = HTTPClientRequest(url: "https://localhost:\(port)\(try shop.link("huge.txt"))")
                    let response = try await client.execute(request, timeout: .seconds(180))
                    #expect(response.status == .ok)
                    var count = 0
                    let error = await #expect(throws: (any Error).self) {
                        for try await part in response.body {
                            if count == 0 { try Self.change(file, to: Data("other".utf8)) }
                            count += part.readableBytes
                        }
                    }
                    #expect(error as? HTTPClientError != .deadlineExceeded && count < Self.size)
                }
            }
        }
    }

    /// A socket that accepts a file when the test lets it.
    private final class SlowSocket: ChannelOutboundHandler {
        typealias OutboundIn = IOData

        private(set) var sent: EventLoopPromise<Void>?

        func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
            if case .fileRegion = unwrapOutboundIn(data) { sent = promise } else { promise?.succeed() }
        }
    }

    /// No time passes between the check of the file and the end of the response.
    @Test(arguments: [true, false])
    func `A file that changed meanwhile ends the connection`(changes: Bool) async throws {
        try await DownloadServer.run { shop in
            try await shop.warmUp()
            let request = RawConnection.request("GET", try shop.link("open.txt"), [], tag: "")
            let file = shop.folder.appending(path: "downloads/1.0.0/open.txt")
            let isOpen = try Self.isOpen(after: request, of: shop.routes.fastResponder(World.quiet)) {
                if changes { try Self.change(file, to: Data("other".utf8), isCutShort: false) }
            }
            #expect(isOpen != changes)
        }
    }

    /// Whether the connection is open after a response during which something happened.
    private static func isOpen(
        after request: String, of responder: FastResponder, during happens: () throws -> Void
    ) throws -> Bool {
        let (channel, gate, socket) = (EmbeddedChannel(), RequestBytes(unsent: .test), SlowSocket())
        let fastPath = FastPath(
            responder, HeadRefusals.test, ConnectionLimits(), behind: gate,
            at: channel.embeddedEventLoop.now
        ) {}
        try channel.pipeline.syncOperations.addHandlers([socket, gate, fastPath])
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        try channel.writeInbound(ByteBuffer(string: request))
        let sent = try #require(socket.sent)
        try happens()
        sent.succeed()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        return channel.isActive
    }

    /// Another file of the same size takes its place after it was looked up.
    @Test func `A file that was replaced before it was open is not sent`() async throws {
        try await Self.downloadReplaced(isStillNamed: false)
    }

    /// The client tries again; on 404 it would give up.
    @Test func `A file that cannot be opened now is answered so that the client tries again`() async throws {
        try await Self.downloadReplaced(isStillNamed: true)
    }

    /// Requests a file that is not what was looked up, or that is named and cannot be opened.
    private static func downloadReplaced(isStillNamed: Bool) async throws {
        try await DownloadServer.run { shop in
            let base = try #require(shop.routes.services.content as? FolderRepository)
            let file = shop.folder.appending(path: "downloads/1.0.0/open.txt")
            let named = isStillNamed ? base.location(of: try shop.sha256("open.txt")) : nil
            let repository = ReplacedFile(base: base, file: file, named: named)
            if isStillNamed { try FileManager.default.removeItem(at: file) }
            let (router, table) = (Router(context: ServerContext.self), RouteTable())
            router.add(
                middleware: ProblemMiddleware(
                    metrics: RequestMetrics(ServerMetrics().registry), ids: shop.routes.services.ids, table: table,
                    lines: shop.routes.services.lines))
            ContentRoutes(
                content: repository, cache: shop.routes.services.cache, grants: shop.routes.services.grants,
                delivery: .local, folder: shop.folder.path, limits: ConnectionLimits(), clock: { World.start },
                sent: ServerMetrics().contentSent
            ).add(to: shop.routes.services.groups(of: router, table))
            try await Application(router: router, logger: World.quiet).test(.router) { client in
                try await client.execute(uri: try shop.link("open.txt"), method: .get) { answer in
                    #expect(answer.status == (isStillNamed ? .serviceUnavailable : .notFound))
                    let body = String(buffer: answer.body)
                    #expect(body.contains(isStillNamed ? "\"storage_unavailable\"" : "\"not_found\""), "\(body)")
                    #expect((answer.headers[.retryAfter] != nil) == isStillNamed)
                }
            }
        }
    }

    /// A folder whose file is replaced each time it was looked up.
    private struct ReplacedFile: ContentRepository {
        let base: FolderRepository
        let file: URL
        /// The place that is returned, whatever is there.
        let named: ContentLocation?

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

        func location(of sha256: String) throws -> ContentLocation? {
            if let named { return named }
            let location = base.location(of: sha256)
            try Data(repeating: 0, count: DownloadServer.openBytes).write(to: file, options: .atomic)
            return location
        }
    }
}
