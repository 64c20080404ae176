import Basics
import HTTPTypes
import NIOHTTP1

/// Why a request is refused for its head alone, with 400 and before any route sees it.
enum RequestHeadError: String, Error {
    /// The bytes are not HTTP/1.1.
    case syntax
    /// `Host` (with HTTP/2: `:authority`) is missing, stands twice, is empty or names no host.
    case host
    /// A `Content-Length` that no body has.
    case contentLength
    /// A `Transfer-Encoding` other than `chunked`, or one under HTTP/1.0.
    case transferEncoding
    /// More than ``Limits/headerFields``.
    case headerFields

    /// What is wrong with the head of a request of HTTP/1; nil: nothing.
    init?(_ head: HTTPRequestHead) {
        var fields = Fields(isOld: head.isOld)
        for (name, value) in head.headers where Self.nameLengths.contains(name.utf8.count) {
            guard let mistake = fields.mistake(name, value.trimmingOptionalWhitespace) else { continue }
            self = mistake
            return
        }
        guard fields.hosts == 0, !head.isOld else { return nil }
        self = .host
    }

    /// The fields of a head that were looked at.
    private struct Fields {
        let isOld: Bool
        private(set) var hosts = 0
        private var codings = 0

        init(isOld: Bool) { self.isOld = isOld }

        /// What is wrong with the next field; nil: nothing.
        mutating func mistake(_ name: String, _ value: Substring) -> RequestHeadError? {
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

    /// What is wrong with the head of a request of HTTP/2; nil: nothing. RFC 9113 §8.3.1: `Host` may stand for
    /// `:authority`, and be none other than it.
    init?(_ head: HTTPRequest) {
        let hosts = head.headerFields[values: .host]
        let authority = head.authority ?? hosts.first ?? ""
        if head.headerFields.count > Limits.headerFields {
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
        case .host: "Host: needed once, with the name or address of the server."
        case .contentLength: "Content-Length: a number of bytes below 2^63."
        case .transferEncoding: "Transfer-Encoding: chunked, once, or none; with HTTP/1.0 none."
        case .headerFields: "At most \(Limits.headerFields) header fields."
        }
    }

    /// Of the three names above, so that the others are not even read.
    private static let nameLengths: Set<Int> = [4, 14, 17]
}

extension HTTPRequestHead {
    /// Whether it is of HTTP/1.0; the decoder takes no other major version.
    var isOld: Bool { version.minor == 0 }
}

extension Substring {
    /// Decimal digits of a number that 63 bits hold, as sizes of files have.
    fileprivate var isContentLength: Bool {
        utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } && Int64(self) != nil
    }
}

extension HTTPField.Name {
    fileprivate static let host = Self("Host")!
}
