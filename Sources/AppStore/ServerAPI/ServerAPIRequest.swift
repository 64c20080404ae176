import AsyncHTTPClient
import Basics
import Foundation
import NIOCore
import NIOFoundationCompat
import NIOHTTP1

/// A request to the App Store Server API, for either environment.
struct ServerAPIRequest: Sendable {
    var method = HTTPMethod.GET
    /// The path from `/inApps` on; without characters that need percent-encoding.
    var path: String
    /// The query parameters in order; names may repeat.
    var query: [(name: String, value: String)] = []
    /// JSON; `nil` for none.
    var body: Data?
    var limit = RateLimit.usual

    /// - Parameter base: the base URL, without a slash at its end.
    func http(base: String, token: String) -> HTTPClientRequest {
        let query = query.map { "\($0.name)=\($0.value.queryEncoded)" }.joined(separator: "&")
        var request = HTTPClientRequest(url: base + path + (query.isEmpty ? "" : "?\(query)"))
        request.method = method
        request.headers.add(name: "Authorization", value: "Bearer \(token)")
        request.headers.add(name: "Accept", value: "application/json")
        request.headers.add(name: "User-Agent", value: "quartermaster")
        if let body {
            request.headers.add(name: "Content-Type", value: "application/json")
            request.body = .bytes(ByteBuffer(data: body))
        }
        return request
    }

    func with(_ name: String, _ value: String?) -> ServerAPIRequest {
        var request = self
        if let value { request.query.append((name, value)) }
        return request
    }
}

extension String {
    /// Percent-encoded (RFC 3986 §2.1), all but unreserved characters.
    fileprivate var queryEncoded: String {
        utf8.map { $0.isUnreserved ? String(UnicodeScalar($0)) : "%" + Data([$0]).hex.uppercased() }.joined()
    }

    /// Whether it may be part of a path as it is. Order numbers and tokens have 10 to 36 characters.
    var isPathSegment: Bool {
        (1...128).contains(utf8.count) && utf8.allSatisfy { $0.isUnreserved && $0 != UInt8(ascii: ".") }
    }

    /// Whether it may be part of a path as the ID of a product, which may have dots: not at its beginning, where they
    /// could lead to another path. App Store Connect allows letters, digits, `.` and `_`, at most 100.
    var isProductPath: Bool {
        (1...128).contains(utf8.count) && utf8.allSatisfy(\.isUnreserved) && !hasPrefix(".")
    }
}

extension UInt8 {
    /// Whether it is an unreserved character (RFC 3986 §2.3).
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
