package import NIOHTTP1

/// A plain request, which a ``FastResponding`` may answer: GET or HEAD, without a body and without header fields that
/// ask for anything unusual.
package struct FastRequest {
    package let uri: String
    package let isHead: Bool
    package let headers: PlainHeaders
    /// Whether the client wants the connection closed after the response.
    package var closes: Bool { headers.closes }
    /// Whether the bytes of its head may be remembered: nothing in them is about a body or the connection's end.
    var mayBeKnown: Bool { !headers.closes && !headers.tellsLength }

    /// - Returns: `nil` for every other request, which takes the ordinary path with the whole of HTTP.
    package init?(_ head: HTTPRequestHead) {
        guard head.version == .http1_1, head.method == .GET || head.method == .HEAD,
            let headers = PlainHeaders(head.headers)
        else { return nil }
        uri = head.uri
        isHead = head.method == .HEAD
        self.headers = headers
    }
}

/// Answers plain requests from memory, on the event loop: it never blocks.
package protocol FastResponding: Sendable {
    /// Whether there may be an answer to requests for this path and query; asked before the header fields are read.
    func knows(_ uri: String) -> Bool

    /// - Returns: `nil` if the routes are to answer.
    func answer(_ request: FastRequest) -> FastAnswer?

    /// The answer to a request whose head is known; what is prepared for it may be kept in ``KnownRequest/prepared``.
    ///
    /// - Returns: `nil` if the routes are to answer.
    func answer(_ known: KnownRequest) -> FastAnswer?
}

/// The header fields of a plain request.
package struct PlainHeaders {
    package private(set) var ifMatch: String?
    package private(set) var ifNoneMatch: String?
    package private(set) var ifRange: String?
    package private(set) var range: String?
    package private(set) var acceptEncoding: String?
    package private(set) var availableDictionary: String?
    private var connection: Connection?
    /// Whether a field states the length of the body, which is 0.
    private(set) var tellsLength = false

    private enum Connection {
        case closes, stays
    }

    var closes: Bool { connection == .closes }

    /// Reads the fields; `nil` if one of them announces a body, expects an interim response, or is not written plainly.
    init?(_ headers: HTTPHeaders) {
        for (name, value) in headers where Self.lengths.contains(name.utf8.count) {
            switch name.lowercased() {
            case "content-length":
                guard value == "0" else { return nil }
                tellsLength = true
            case "transfer-encoding", "expect", "upgrade": return nil
            case "connection": guard connection == nil, add(connection: value) else { return nil }
            case "if-match": guard Self.add(value, to: &ifMatch) else { return nil }
            case "if-none-match": guard Self.add(value, to: &ifNoneMatch) else { return nil }
            case "if-range": guard Self.add(value, to: &ifRange) else { return nil }
            case "range": guard Self.add(value, to: &range) else { return nil }
            case "accept-encoding": guard Self.add(value, to: &acceptEncoding) else { return nil }
            case "available-dictionary": guard Self.add(value, to: &availableDictionary) else { return nil }
            default: break
            }
        }
    }

    /// The lengths of the names above, so that other fields are skipped without comparing them.
    private static let lengths: Set<Int> = [5, 6, 7, 8, 10, 13, 14, 15, 17, 20]

    private mutating func add(connection value: String) -> Bool {
        switch value {
        case "close": connection = .closes
        case "keep-alive", "Keep-Alive": connection = .stays
        default: return false
        }
        return true
    }

    /// Sets a field of one line of visible characters; `false` if it is repeated or needs trimming.
    private static func add(_ value: String, to field: inout String?) -> Bool {
        let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && value.first != " " && value.last != " "
        guard field == nil, isVisible else { return false }
        field = value
        return true
    }
}
