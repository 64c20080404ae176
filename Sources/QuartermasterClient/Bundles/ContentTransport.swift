public import Foundation

/// Sends the requests for content. The library's own sends them with `URLSession` while the app runs, and
/// ``BackgroundTransport`` has the system send them; an app may have another one.
public protocol ContentTransport: Sendable {
    /// Whether the system sends the requests when it likes, also while the app does not run. Then a request asks for
    /// all that is missing of a file, by a link that is valid for a day.
    var isBackground: Bool { get }

    /// Sends a GET request and hands the answer to `sink` as it arrives: first the head, then the body. It follows
    /// redirects, but never from `https:` to `http:`.
    ///
    /// - Throws: ``ConnectionError``, `CancellationError` when the task is cancelled, or what the sink throws, after
    ///   which the sink gets nothing more. The library repeats what failed, and continues where the body ended.
    func receive(_ request: ContentRequest, into sink: ContentSink) async throws

    /// Ends what goes on without the app for content that is not needed now.
    ///
    /// - Parameters:
    ///   - content: the SHA-256 of each file that downloads need, in hexadecimal.
    ///   - paused: those of them that are not to be fetched now; what has arrived of them stays.
    func retain(_ content: Set<String>, paused: Set<String>) async
}

extension ContentTransport {
    public var isBackground: Bool { false }

    public func retain(_ content: Set<String>, paused: Set<String>) async {}
}

/// A request for content, or a range of it. It has no access token.
public struct ContentRequest: Sendable {
    /// The link.
    public let url: URL
    /// The header fields, which must be sent as they are.
    public let headers: [String: String]
    /// How long the whole exchange may take, while the app runs.
    public let deadline: Duration
    /// The SHA-256 of the whole file, in hexadecimal.
    public let content: String
    /// The first byte that is asked for.
    public let start: Int
    /// The number of bytes that are asked for. Fewer may come.
    public let count: Int
    /// The networks that it may use.
    public let networks: AllowedNetworks
}

/// The file that an answer is written to, with what it may be.
public struct ContentSink: Sendable {
    let file: PartialFile

    /// Takes the head of the answer, once.
    ///
    /// - Parameter headers: the fields, by their names in any case.
    /// - Throws: if the content cannot be in this answer.
    public func begin(status: Int, headers: [String: String]) throws {
        let fields = headers.map { ($0.key.lowercased(), $0.value) }
        try file.begin(HTTPHead(status: status, headers: Dictionary(fields, uniquingKeysWith: { first, _ in first })))
    }

    /// Takes the next bytes of the body.
    ///
    /// - Throws: if they are more than was asked for, or what the file system throws.
    public func append(_ bytes: Data) throws { try file.append(bytes) }

    /// Takes the rest of the body from a file, which may be moved away.
    ///
    /// - Throws: as ``append(_:)``.
    public func append(contentsOf url: URL) throws { try file.append(contentsOf: url) }

    /// Shows how many bytes of the body have arrived that are handed over later.
    public func announce(_ bytes: Int) { file.announce(bytes) }
}

extension HTTPTransport: ContentTransport {
    func receive(_ request: ContentRequest, into sink: ContentSink) async throws {
        var sent = HTTPRequest(request.url)
        sent.headers = request.headers
        sent.deadline = request.deadline
        sent.followsRedirects = true
        sent.networks = request.networks
        _ = try await receive(sent, into: sink.file)
    }
}
