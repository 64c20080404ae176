import Foundation
package import HTTPTypes
package import Hummingbird
import InAppPurchase
package import NIOCore
import NIOFoundationCompat
import StrictJSON

/// JSON of the HTTP API: camelCase, RFC 3339 times in UTC.
package enum JSONCoding {
    package static func encode(_ value: some Encodable, times: TimeFormat = .milliseconds) throws -> ByteBuffer {
        ByteBuffer(bytes: try bytes(of: value, times: times))
    }

    package static func bytes(of value: some Encodable, times: TimeFormat = .milliseconds) throws -> [UInt8] {
        // Equal responses must have equal entity tags.
        let encoder = CanonicalEncoder { date, key in times.text(of: date, key: key?.stringValue) }
        return try encoder.encode(value)
    }

    /// Decodes a body after one scan that limits its cost. An empty body is `{}`.
    ///
    /// - Throws: 400 `invalid_request`, with the position of the error.
    package static func decode<Body: JSONRequestBody>(_ type: Body.Type, from buffer: ByteBuffer) throws -> Body {
        let text = buffer.readableBytes == 0 ? Data("{}".utf8) : Data(buffer: buffer)
        do {
            return try StrictJSON(text, Body.limits.json, tolerance: .byteOrderMark).decode(type)
        } catch let error as JSONError {
            throw Problem.invalidRequest(error.description)
        } catch let error as DecodingError {
            throw Problem.invalidRequest(error.explanation)
        } catch {
            throw Problem.invalidRequest("not readable")
        }
    }
}

extension Response {
    /// JSON for apps, with times in whole seconds.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        json(try JSONCoding.encode(value, times: .wholeSeconds), status, headers)
    }

    /// A response with JSON for apps that is encoded already.
    package static func json(bytes: ByteBuffer, headers: HTTPFields = [:]) -> Response { json(bytes, .ok, headers) }

    /// A response with JSON for apps that is encoded already, in parts.
    package static func json(parts: [ByteBuffer], headers: HTTPFields = [:]) -> Response {
        guard parts.count > 1 else { return json(parts.first ?? ByteBuffer(), .ok, headers) }
        var response = json(ByteBuffer(), .ok, headers)
        response.body = ResponseBody(contentsOf: parts)
        return response
    }

    /// JSON for administrators, with times in milliseconds.
    package static func adminJSON(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        json(try JSONCoding.encode(value, times: .milliseconds), status, [:])
    }

    private static func json(_ bytes: ByteBuffer, _ status: HTTPResponse.Status, _ headers: HTTPFields) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        headers[.cacheControl] = headers[.cacheControl] ?? "no-store"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: bytes))
    }
}

extension DecodingError {
    /// The path to the error and what it is, as in `apps[0].products[2].duration: missing`.
    package var explanation: String {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .dataCorrupted(let context):
            context.explanation
        case .keyNotFound(let key, let context): (context.codingPath + [key]).text + ": missing"
        @unknown default: "not readable"
        }
    }
}

extension DecodingError.Context {
    fileprivate var explanation: String {
        let place = codingPath.text
        let cause = (underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
        return (place.isEmpty ? "" : place + ": ") + debugDescription + (cause.map { " \($0)" } ?? "")
    }
}

extension [any CodingKey] {
    fileprivate var text: String {
        reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}
