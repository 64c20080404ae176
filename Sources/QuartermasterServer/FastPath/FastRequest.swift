import Content
import NIOHTTP1

/// A plain request for bytes that may be in memory: one of two routes, without header fields that ask for anything
/// unusual.
///
/// Initializers return `nil` for every other request, which takes the ordinary path with the whole of HTTP.
struct FastRequest {
    enum Target: Equatable {
        case content(sha256: String, grant: String)
        case products(app: String)
    }

    let target: Target
    let isHead: Bool
    /// Whether the client wants the connection closed after the response.
    let closes: Bool
    /// Whether the bytes of its head may be remembered: nothing in them is about a body or the connection's end.
    let mayBeKnown: Bool
    let conditions: Preconditions
    let negotiation: ContentNegotiation

    init?(_ head: HTTPRequestHead) {
        guard head.version == .http1_1, head.method == .GET || head.method == .HEAD, let target = Target(head.uri),
            let headers = PlainHeaders(head.headers)
        else { return nil }
        self.target = target
        isHead = head.method == .HEAD
        closes = headers.closes
        mayBeKnown = !headers.closes && !headers.tellsLength
        conditions = headers.conditions
        negotiation = headers.negotiation
    }
}

extension FastRequest.Target {
    private static let grant = "?grant="
    private static let sha256Characters = 64

    /// Reads a path and query without percent escapes; `nil` for any other.
    init?(_ uri: String) {
        let bytes = uri.utf8
        if bytes.starts(with: ContentRoutes.pathBeforeHash.utf8) {
            let rest = bytes.dropFirst(ContentRoutes.pathBeforeHash.utf8.count)
            let (sha256, query) = (rest.prefix(Self.sha256Characters), rest.dropFirst(Self.sha256Characters))
            let grant = query.dropFirst(Self.grant.utf8.count)
            guard sha256.allSatisfy(\.isWordCharacter), query.starts(with: Self.grant.utf8), !grant.isEmpty,
                grant.count <= GrantSigner.maximumCharacters, grant.allSatisfy(\.isWordCharacter)
            else { return nil }
            self = .content(sha256: String(Substring(sha256)), grant: String(Substring(grant)))
        } else if bytes.starts(with: ProductRoutes.pathBeforeApp.utf8), uri.hasSuffix(ProductRoutes.pathBehindApp) {
            let app = bytes.dropFirst(ProductRoutes.pathBeforeApp.utf8.count).dropLast(
                ProductRoutes.pathBehindApp.utf8.count)
            guard !app.isEmpty, app.allSatisfy(\.isWordCharacter) else { return nil }
            self = .products(app: String(Substring(app)))
        } else {
            return nil
        }
    }
}

extension UInt8 {
    /// Whether the byte stands for itself in a path and in a query: no escape, no separator.
    fileprivate var isWordCharacter: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
            true
        default: false
        }
    }
}

/// The header fields of a plain request.
private struct PlainHeaders {
    private(set) var conditions = Preconditions()
    private var encodings: String?
    private var dictionary: String?
    private var connection: Connection?
    /// Whether a field states the length of the body, which is 0.
    private(set) var tellsLength = false

    private enum Connection {
        case closes, stays
    }

    var closes: Bool { connection == .closes }

    var negotiation: ContentNegotiation {
        ContentNegotiation(
            acceptEncoding: encodings, availableDictionary: dictionary, range: conditions.range,
            ifRange: conditions.ifRange)
    }

    /// Reads the fields; `nil` if one of them announces a body, expects an interim response, or is not written plainly.
    init?(_ headers: HTTPHeaders) {
        for (name, value) in headers where Self.lengths.contains(name.utf8.count) {
            switch name.lowercased() {
            case "content-length":
                guard value == "0" else { return nil }
                tellsLength = true
            case "transfer-encoding", "expect", "upgrade": return nil
            case "connection": guard connection == nil, add(connection: value) else { return nil }
            case "if-match": guard Self.add(value, to: &conditions.ifMatch) else { return nil }
            case "if-none-match": guard Self.add(value, to: &conditions.ifNoneMatch) else { return nil }
            case "if-range": guard Self.add(value, to: &conditions.ifRange) else { return nil }
            case "range": guard Self.add(value, to: &conditions.range) else { return nil }
            case "accept-encoding": guard Self.add(value, to: &encodings) else { return nil }
            case "available-dictionary": guard Self.add(value, to: &dictionary) else { return nil }
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
    private static func add(_ value: String, to condition: inout String?) -> Bool {
        let isVisible = value.utf8.allSatisfy { (0x20...0x7E).contains($0) } && value.first != " " && value.last != " "
        guard condition == nil, isVisible else { return false }
        condition = value
        return true
    }
}
