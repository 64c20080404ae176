import Foundation
import InAppPurchase
import NIOHTTP1
import ServerCore

/// A request to the admin API of a distant server.
struct RemoteQuestion: Sendable {
    var method: HTTPMethod
    /// The parts of the path after `/admin/v1`, unescaped.
    var path: [String]
    /// The parameters; those that are `nil` are left out.
    var query: [String: String?] = [:]
    /// The JSON of the body; `nil` for none.
    var body: Data?
    var headers: HTTPHeaders = [:]

    static func get(_ path: String..., query: [String: String?] = [:]) -> RemoteQuestion {
        RemoteQuestion(method: .GET, path: path, query: query)
    }

    /// A request with the members of an object; those that are `nil` are left out.
    ///
    /// - Parameter key: the idempotency key.
    static func send(
        _ path: [String], _ members: [String: JSONValue?] = [:], method: HTTPMethod = .POST, key: String? = nil
    ) throws -> RemoteQuestion {
        let body = Data(try members.compactMapValues { $0 }.json.utf8)
        let headers = HTTPHeaders(key.map { [("Idempotency-Key", $0)] } ?? [])
        return RemoteQuestion(method: method, path: path, body: body, headers: headers)
    }

    /// The path and the parameters, escaped.
    var uri: String {
        let parameters = query.compactMapValues { $0 }.sorted { $0.key < $1.key }
            .map { "\($0.key.escaped)=\($0.value.escaped)" }
        let path = (["", "admin", "v1"] + path.map(\.escaped)).joined(separator: "/")
        return path + (parameters.isEmpty ? "" : "?" + parameters.joined(separator: "&"))
    }
}

extension String {
    /// The unreserved characters of RFC 3986 §2.3.
    private static let unreserved = CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    fileprivate var escaped: String { addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? self }
}
