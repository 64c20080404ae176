import CDescriptions
import HTTPTypes
import Hummingbird
import NIOCore
import ServerHTTP

/// Serves the description of the HTTP interface, OpenAPI 3.1, at `/openapi.yaml`.
package struct DescriptionRoutes: RouteFeature {
    /// The media type of RFC 9512.
    private static let type = "application/yaml"
    private static let headers: HTTPFields = [.cacheControl: "no-cache"]

    private let text: TextRepresentations

    package init() throws {
        var count: UInt = 0
        let bytes = UnsafeBufferPointer(start: serverDescription(&count), count: Int(clamping: count))
        text = try TextRepresentations(ByteBuffer(bytes: bytes), Self.type).prepared()
    }

    package func add(to groups: RouteGroups) {
        groups.root.on(.get, "/openapi.yaml", RouteFacts("getDescription")) { request, _ in
            try Response.text(text, headers: Self.headers, to: request)
        }
    }
}
