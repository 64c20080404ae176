import AsyncHTTPClient
import Foundation
import InAppPurchase
import Ledger
import NIOCore
import NIOHTTP1
import ServerCore
import ServerHTTP

/// A running server that a command asks by its admin API, in place of the ledger beside the command.
struct RemoteServer: Sendable {
    /// The environment variable with the admin token: all users of a machine can read the arguments of a command.
    static let tokenVariable = "QUARTERMASTER_ADMIN_TOKEN"
    private static let connectTimeout = TimeAmount.seconds(10)
    /// The maximum time to the end of an answer; a report of a long time takes the longest.
    static let timeout = TimeAmount.seconds(120)
    /// The maximum size of an answer, which the products of an app may have.
    private static let maximumBytes = CatalogFile.maximumBytes

    /// An answer that is no error.
    struct Answer: Sendable {
        var status: HTTPResponseStatus
        var headers: HTTPHeaders
        var body: Data

        /// The revision of the catalog that it is of; empty if it names none.
        var revision: String { headers.first(name: "ETag")?.filter { $0 != "\"" } ?? "" }
    }

    private struct ProblemBody: Decodable {
        var title: String
        var detail: String?
    }

    /// Without a slash at its end.
    let address: String
    private let token: String

    /// Whether the environment has a token.
    static var hasToken: Bool { ProcessInfo.processInfo.environment[tokenVariable]?.isEmpty == false }

    /// - Throws: ``/ServerCore/CommandError`` if there is no token, or the address would show it to others.
    init(_ address: String, environment: [String: String] = ProcessInfo.processInfo.environment) throws {
        guard let url = URLComponents(string: address), let host = url.host, !host.isEmpty, url.query == nil,
            url.fragment == nil, url.user == nil, url.scheme == "https" || url.scheme == "http"
        else { throw CommandError("--server: should be the address of a server, such as https://shop.example.com") }
        guard url.scheme == "https" || host.isLoopback else {
            throw CommandError("--server: should begin with https://, since the token is sent to it")
        }
        guard let token = environment[Self.tokenVariable], !token.isEmpty else {
            throw CommandError("--server: needs an admin token in the environment variable \(Self.tokenVariable)")
        }
        self.address = address.hasSuffix("/") ? String(address.dropLast()) : address
        self.token = token
    }

    /// Never shut down: it ends with the process.
    private static let client: HTTPClient = {
        // The token must not be sent to where a redirect leads.
        var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
        configuration.timeout.connect = connectTimeout
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// - Throws: ``/ServerCore/CommandError`` with what the server says, if that is no success.
    func ask(_ question: RemoteQuestion) async throws -> Answer {
        try await ask(question, question.body.map { .bytes(ByteBuffer(bytes: $0)) }, within: Self.timeout)
    }

    /// The same with a body of bytes in place of JSON.
    func ask(
        _ question: RemoteQuestion, _ body: HTTPClientRequest.Body?, within time: TimeAmount
    ) async throws -> Answer {
        var request = HTTPClientRequest(url: address + question.uri)
        request.method = question.method
        request.headers = question.headers
        request.headers.replaceOrAdd(name: "Authorization", value: "Bearer \(token)")
        if question.body != nil { request.headers.replaceOrAdd(name: "Content-Type", value: "application/json") }
        request.body = body
        let answer: Answer
        do {
            let response = try await Self.client.execute(request, timeout: time)
            let bytes = try await response.body.collect(upTo: Self.maximumBytes)
            answer = Answer(status: response.status, headers: response.headers, body: Data(bytes.readableBytesView))
        } catch {
            throw CommandError("\(address): does not answer: \("\(error)".withoutControlCharacters)")
        }
        guard (200..<300).contains(answer.status.code) else { throw CommandError("\(address): \(Self.words(answer))") }
        return answer
    }

    private static func words(_ answer: Answer) -> String {
        guard let problem = try? JSONDecoder().decode(ProblemBody.self, from: answer.body) else {
            return "answers with status \(answer.status.code)"
        }
        return [problem.title, problem.detail].compactMap { $0 }.joined(separator: ": ").withoutControlCharacters
    }

    /// The body of the answer.
    ///
    /// - Throws: as ``ask(_:)`` and ``decode(_:)``.
    func decoded<Body: Decodable>(_ question: RemoteQuestion, as type: Body.Type = Body.self) async throws -> Body {
        try decode(try await ask(question).body)
    }

    /// Decodes a body that the server encoded.
    ///
    /// - Throws: ``/ServerCore/CommandError`` if this version cannot read it.
    func decode<Body: Decodable>(_ bytes: Data) throws -> Body {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let container = try decoder.singleValueContainer()
            let text = try container.decode(String.self)
            guard let date = Date(rfc3339: text) else {
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "should be an RFC 3339 time")
            }
            return date
        }
        do { return try decoder.decode(Body.self, from: bytes) } catch let error as DecodingError {
            throw CommandError("\(address): another version of the server: \(error.explanation)")
        }
    }
}

extension String {
    /// Whether the host is this machine.
    fileprivate var isLoopback: Bool {
        let host = trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        guard let address = IPAddress(host) else { return host == "localhost" }
        return [IPRange("127.0.0.0/8"), IPRange("::1")].contains { $0?.contains(address) == true }
    }
}

extension SettingOptions {
    /// The server that the command asks; `nil` for the ledger, the catalog and the content of the settings.
    ///
    /// - Throws: ``/ServerCore/CommandError``, as ``RemoteServer/init(_:environment:)``.
    var remote: RemoteServer? {
        get throws {
            guard let server else { return nil }
            guard flags.database == nil, flags.products == nil, flags.content == nil else {
                throw CommandError("--server: that server has its own; leave out --database, --products and --content")
            }
            return try RemoteServer(server)
        }
    }

    /// The same options for what is on this machine.
    var withoutServer: SettingOptions {
        var options = self
        options.server = nil
        return options
    }

    /// The body that the distant server answers, or without one what `local` makes of the ledger.
    ///
    /// - Throws: ``/ServerCore/CommandError``, and as ``withLedger(_:_:)``.
    func body<Body: Decodable>(
        of question: RemoteQuestion, or handlers: [any ProductHandler.Type],
        _ local: (any Ledger, Settings) async throws -> Body
    ) async throws -> Body {
        guard let server = try remote else { return try await withLedger(handlers, local) }
        return try await server.decoded(question)
    }
}
