import Basics
import Content
import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore
import NIOFoundationCompat
import ServerHTTP

/// A text in the content codings in which clients accept it, each with an entity tag of its own.
package struct TextRepresentations: Sendable {
    /// The `Vary` of all responses that have the text, in whichever coding.
    static let vary = "accept-encoding"

    /// In bytes. A larger text that is prepared in one coding alone is not held unencoded.
    static let maximumHeldBytes = 64 << 10

    /// The size of the unencoded text, in bytes.
    private let size: Int
    /// The media type.
    private let type: String
    /// The opaque part of the strong entity tag of the unencoded text.
    private let tag: String
    private var ready: [TextCoding: ByteBuffer]
    /// Returns the unencoded text, if that is not ready.
    private var plain: @Sendable () throws -> ByteBuffer

    /// - Parameter tag: by default one over the text's bytes.
    init(_ plain: ByteBuffer, _ type: String, tag: String? = nil) {
        size = plain.readableBytes
        self.type = type
        self.tag = tag ?? plain.entityTag
        ready = [.identity: plain]
        self.plain = { plain }
    }

    /// Encodes the text now in one coding, in which it is sent many times, and holds it in that coding alone.
    ///
    /// - Parameter plain: makes the unencoded text again.
    func prepared(
        _ coding: TextCoding, making plain: @escaping @Sendable () throws -> ByteBuffer
    ) throws -> TextRepresentations {
        var prepared = self
        let isHeld = coding != .identity || size <= Self.maximumHeldBytes
        prepared.ready = isHeld ? [coding: try bytes(coding)] : [:]
        prepared.plain = plain
        return prepared
    }

    /// The size of what is held in memory, in all codings together.
    var heldBytes: Int { ready.values.reduce(0) { $0 + $1.readableBytes } }

    /// Encodes the text in all codings now, since it is sent many times.
    func prepared() throws -> TextRepresentations {
        var prepared = self
        for coding in codings { prepared.ready[coding] = try bytes(coding) }
        return prepared
    }

    /// The codings in which the text is sent: a short one is only sent unencoded.
    var codings: [TextCoding] { size > TextCoding.maximumPlainBytes ? TextCoding.allCases : [.identity] }

    /// The coding that the client prefers.
    func coding(acceptEncoding: String?) -> TextCoding {
        codings.count == 1 ? .identity : TextCoding(acceptEncoding: acceptEncoding)
    }

    /// The opaque part of the strong entity tag of the text in a coding.
    func tag(_ coding: TextCoding) -> String { coding == .identity ? tag : "\(tag)-\(coding.rawValue)" }

    /// The text in a coding.
    func bytes(_ coding: TextCoding) throws -> ByteBuffer {
        if let bytes = ready[coding] { return bytes }
        let plain = try plain()
        guard coding != .identity else { return plain }
        return ByteBuffer(bytes: try plain.withUnsafeReadableBytes { try coding.encode($0) })
    }

    /// The outcome of the request's conditions. An entity tag of any coding names the text.
    func outcome(_ conditions: Preconditions, method: HTTPRequest.Method, _ coding: TextCoding) -> Preconditions.Outcome
    {
        conditions.outcome(
            method: method.rawValue, etag: tag(coding), others: codings.filter { $0 != coding }.map(tag), size: size)
    }

    /// The coding whose entity tag a 304 names: the one that the client prefers if the request names that tag, else one
    /// that it names. A cache refreshes what it has stored under the tag of the 304 (RFC 9111 §4.3.4).
    func unmodified(_ conditions: Preconditions, preferring coding: TextCoding) -> TextCoding {
        ([coding] + codings).first { conditions.excludes(etag: tag($0)) } ?? coding
    }

    /// The header fields of a 200, with those of `headers`.
    func headers(_ coding: TextCoding, _ headers: HTTPFields) -> HTTPFields {
        var headers = validators(coding, headers)
        headers[.contentType] = type
        headers[.contentEncoding] = coding == .identity ? nil : coding.rawValue
        return headers
    }

    /// The header fields of a 304 and a 412, without the content's own.
    func validators(_ coding: TextCoding, _ headers: HTTPFields) -> HTTPFields {
        var headers = headers
        headers[.eTag] = "\"\(tag(coding))\""
        headers[.vary] = Self.vary
        return headers
    }
}

extension Response {
    /// The text in the coding that the client prefers; 304 or 412 without a body if the request's conditions say so.
    ///
    /// - Parameters:
    ///   - headers: the header fields of all three.
    ///   - notModified: further header fields of a 304; `nil` if there may be none, since the client needs the text.
    package static func text(
        _ text: TextRepresentations, headers: HTTPFields, notModified: HTTPFields? = [:], to request: Request
    ) throws -> Response {
        let coding = text.coding(acceptEncoding: request.headers.joined(.acceptEncoding))
        var asked = request.headers
        if notModified == nil { asked[.ifNoneMatch] = nil }
        let conditions = Preconditions(asked)
        switch text.outcome(conditions, method: request.method, coding) {
        case .notModified:
            var fields = text.validators(text.unmodified(conditions, preferring: coding), headers)
            fields.append(contentsOf: notModified ?? [:])
            return Response(status: .notModified, headers: fields)
        case .preconditionFailed:
            return Response(status: .preconditionFailed, headers: text.validators(coding, headers))
        case .whole, .part, .rangeNotSatisfiable:
            return Response(
                status: .ok, headers: text.headers(coding, headers),
                body: ResponseBody(byteBuffer: try text.bytes(coding)))
        }
    }
}

extension ByteBuffer {
    /// The opaque part of a strong entity tag of the bytes.
    var entityTag: String { sha256.prefix(16).hex }
}
