import Foundation
import InAppPurchase
import NIOCore
import QuartermasterServer

/// The body of a request: what the routes do with it before they act on it, for every kind of body.
struct RequestBodyText: FuzzTarget {
    func test(_ input: Data) {
        for type in RequestBodies.all { _ = try? JSONCoding.decode(type, from: ByteBuffer(bytes: input)) }
        _ = try? NotificationBody(input)
        _ = try? ProductEntry(input, id: ProductID(stored: "x"), bundles: [], handlers: Server.standardHandlers)
    }
}
