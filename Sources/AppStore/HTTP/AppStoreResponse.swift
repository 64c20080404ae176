import NIOCore
import NIOHTTP1

struct AppStoreResponse: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: ByteBuffer
}
