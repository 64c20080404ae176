package import Foundation
package import HTTPTypes
package import NIOCore
package import NIOHTTP1
import ServerHTTP
package import TestSupport
import Testing

extension ExchangeRecorder {
    package static func record(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, _ body: ByteBuffer?, _ answer: Answer
    ) throws {
        try record(
            Exchange(
                with: .server, in: Test.current.map { "\($0.id)" } ?? "", method.rawValue, path,
                headers: headers.map { ($0.name.canonicalName, $0.value) },
                body: Data((body ?? ByteBuffer()).readableBytesView), status: answer.status,
                answer: (answer.headers.map { ($0.name.canonicalName, $0.value) }, answer.bytes)))
    }

    /// - Parameter url: with or without a scheme and a host.
    package static func record(
        _ method: HTTPMethod, _ url: String, _ headers: HTTPHeaders, _ body: Data = Data(), status: Int,
        answer: (headers: HTTPHeaders, body: Data)
    ) throws {
        let path = url.replacing(#/^https?:\/\/[^\/]*/#, with: "")
        try record(
            Exchange(
                with: .server, in: Test.current.map { "\($0.id)" } ?? "", method.rawValue, path,
                headers: headers.map { ($0.name, $0.value) }, body: body, status: status,
                answer: (answer.headers.map { ($0.name, $0.value) }, answer.body)))
    }

    package static func recordConnection(_ sent: String, _ received: String) throws {
        try recordConnection(sent, received, in: Test.current.map { "\($0.id)" } ?? "")
    }
}
