import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerCore
import ServerHTTP

/// The style sheet and the picture of the pages.
struct AssetRoutes: Sendable {
    func add(to routes: RouteGroup) {
        routes.on(.get, PageRouter.stylePath, .page) { _, _ in
            Self.asset(StyleSheet.text, "text/css; charset=utf-8", isKept: true)
        }
        routes.on(.get, "/admin/assets/icon.svg", .page) { _, _ in
            Self.asset(StyleSheet.icon, "image/svg+xml", isKept: false)
        }
    }

    private static func asset(_ text: String, _ type: String, isKept: Bool) -> Response {
        Response(
            status: .ok, headers: PageHeaders.all(type, isKept: isKept),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
