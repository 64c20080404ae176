import Foundation
import InAppPurchase
import NIOCore

@testable import AppStoreService
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The body of a request: what the routes do with it before they act on it, for every kind of body.
struct RequestBodyText: FuzzTarget {
    private let bodies: [any JSONRequestBody.Type]

    init(_ server: FuzzServer) { bodies = server.bodies }

    func test(_ input: Data) {
        for type in bodies { _ = try? JSONCoding.decode(type, from: ByteBuffer(bytes: input)) }
        _ = try? NotificationBody(input)
        _ = try? ProductEntry(input, id: ProductID(stored: "x"), bundles: [], handlers: Server.standardHandlers)
    }
}
