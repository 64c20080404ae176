import Basics
import HTTPTypes
import NIOHTTP1

/// The reason for which a request is refused for its head alone, with 400 and before any route sees it.
package enum RequestHeadError: String, Error {
    /// The bytes are not HTTP/1.1.
    case syntax
    /// `CONNECT`, which asks for a tunnel.
    case method
    /// `Host` (with HTTP/2: `:authority`) is missing, is repeated, is empty or names no host.
    case host
    /// A `Content-Length` that is no number of bytes below 2^63.
    case contentLength
    /// A `Transfer-Encoding` other than `chunked`, or one under HTTP/1.0.
    case transferEncoding
    /// More than ``Limits/headerFields``.
    case headerFields

    /// The error in the head of an HTTP/1 request; `nil` if there is none.
    init?(_ head: HTTPRequestHead) {
        if head.method == .CONNECT {
            self = .method
            return
        }
        var fields = Fields(isOld: head.isOld)
        for (name, value) in head.headers where Self.nameLengths.contains(name.utf8.count) {
            guard let error = fields.invalid(name, value.trimmingOptionalWhitespace) else { continue }
            self = error
            return
        }
        guard fields.hosts == 0, !head.isOld else { return nil }
        self = .host
    }

    /// The state of checking a head's fields one by one.
    private struct Fields {
        let isOld: Bool
        private(set) var hosts = 0
        private var codings = 0

        init(isOld: Bool) { self.isOld = isOld }

        /// The error in the next field; `nil` if there is none.
        mutating func invalid(_ name: String, _ value: Substring) -> RequestHeadError? {
            switch name.lowercased() {
            case "host":
                hosts += 1
                return hosts == 1 && HostField.isValid(value) ? nil : .host
            case "content-length": return value.isContentLength ? nil : .contentLength
            case "transfer-encoding":
                codings += 1
                // RFC 9112 §6.1: under HTTP/1.0 its framing is faulty.
                return codings == 1 && !isOld && value.lowercased() == "chunked" ? nil : .transferEncoding
            default: return nil
            }
        }
    }

    /// The error in the head of an HTTP/2 request; `nil` if there is none. RFC 9113 §8.3.1: `Host` may replace
    /// `:authority`, and must not differ from it.
    init?(_ head: HTTPRequest) {
        let hosts = head.headerFields[values: .host]
        let authority = head.authority ?? hosts.first ?? ""
        if head.method == .connect {
            self = .method
        } else if head.headerFields.count > Limits.headerFields {
            self = .headerFields
        } else if hosts.count > 1 || hosts.contains(where: { $0 != authority }) || !HostField.isValid(authority) {
            self = .host
        } else if head.headerFields[values: .contentLength].contains(where: { !$0[...].isContentLength }) {
            self = .contentLength
        } else {
            return nil
        }
    }

    /// One sentence for the client.
    var detail: String {
        switch self {
        case .syntax: "This is not HTTP/1.1."
        case .method: "This server is not a proxy: CONNECT is not supported."
        case .host: "Host: required exactly once, with the name or address of the server."
        case .contentLength: "Content-Length: a number of bytes below 2^63."
        case .transferEncoding: "Transfer-Encoding: chunked, once, or none; with HTTP/1.0 none."
        case .headerFields: "At most \(Limits.headerFields) header fields."
        }
    }

    /// The lengths of the three names above, so that other fields are skipped without comparing them.
    private static let nameLengths: Set<Int> = [4, 14, 17]
}

extension HTTPRequestHead {
    /// Whether the request is HTTP/1.0; the decoder accepts no other major version.
    var isOld: Bool { version.minor == 0 }
}

extension Substring {
    /// Whether the text is decimal digits of a number that fits in 63 bits, as sizes of files do.
    fileprivate var isContentLength: Bool {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && Int64(self) != nil
    }
}

extension HTTPField.Name {
    fileprivate static let host = Self("Host")!
}
