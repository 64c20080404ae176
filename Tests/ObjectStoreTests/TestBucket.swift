import Foundation
import TestSupport

@testable import ObjectStore

/// A prefix of its own in a real store.
enum TestBucket {
    static func client(
        in server: ObjectStoreServer? = nil, secret: String = ObjectStoreServer.secretAccessKey,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) async throws -> ObjectClient {
        var endpoint = server?.endpoint
        if endpoint == nil { endpoint = try await ObjectStoreServer.sharedEndpoint() }
        let bucket = try Bucket(
            "\(ObjectStoreServer.location)/\(UUID().uuidString)", endpoint: endpoint, region: ObjectStoreServer.region)
        return ObjectClient(
            bucket, ObjectCredentials(accessKeyID: ObjectStoreServer.accessKeyID, secretAccessKey: secret), clock: clock
        )
    }
}
