import AdminPages
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// The style sheet and the picture of the pages.
struct AssetRoutes: Sendable {
    func add(to router: Router<ServerContext>) {
        router.get("\(PageRouter.stylePath)") { _, _ in
            Self.asset(StyleSheet.text, "text/css; charset=utf-8", isKept: true)
        }
        router.get("/admin/assets/icon.svg") { _, _ in Self.asset(StyleSheet.icon, "image/svg+xml", isKept: false) }
    }

    private static func asset(_ text: String, _ type: String, isKept: Bool) -> Response {
        Response(
            status: .ok, headers: PageHeaders.all(type, isKept: isKept),
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
