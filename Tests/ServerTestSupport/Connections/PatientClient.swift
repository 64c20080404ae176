import AsyncHTTPClient
package import HTTPTypes
package import NIOCore
import NIOHTTP1
import ServerCore

/// A client that waits as long as a loaded machine needs: the framework's gives up after 15 seconds.
package struct PatientClient: Sendable {
    package struct Response {
        package var status: HTTPResponse.Status
        package var headers: HTTPFields
        package var body: ByteBuffer

        package init(status: HTTPResponse.Status, headers: HTTPFields, body: ByteBuffer) {
            self.status = status
            self.headers = headers
            self.body = body
        }
    }

    /// All tests run at once on few processors: what takes a millisecond may take a minute then.
    private static let timeout = TimeAmount.minutes(3)

    private static let following = client(.follow(max: 5, allowCycles: false))
    private static let staying = client(.disallow)

    private static func client(_ redirects: HTTPClient.Configuration.RedirectConfiguration) -> HTTPClient {
        var configuration = HTTPClient.Configuration()
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 64
        configuration.timeout.connect = timeout
        configuration.redirectConfiguration = redirects
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }

    package let port: Int?
    /// Whether it follows redirections.
    package var followsRedirects = true

    package init(port: Int?, followsRedirects: Bool = true) {
        self.port = port
        self.followsRedirects = followsRedirects
    }

    package func execute<Value>(
        uri: String, method: HTTPRequest.Method, headers: HTTPFields = [:], body: ByteBuffer? = nil,
        _ read: (Response) async throws -> Value
    ) async throws -> Value {
        var request = HTTPClientRequest(url: "http://localhost:\(port ?? 0)\(uri)")
        request.method = .RAW(value: method.rawValue)
        for field in headers { request.headers.add(name: field.name.rawName, value: field.value) }
        request.body = body.map { .bytes($0) }
        let http = followsRedirects ? Self.following : Self.staying
        let response = try await http.execute(request, timeout: Self.timeout)
        var fields = HTTPFields()
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        let status = HTTPResponse.Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase)
        return try await read(
            Response(status: status, headers: fields, body: try await response.body.collect(upTo: .max)))
    }
}
