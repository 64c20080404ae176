import Content
import Foundation
import InAppPurchase
import Ledger
import ObjectStore
import ServerTestSupport
import TestSupport
import Testing

@testable import ServerCore

/// A bucket with the project's own bundles, in an S3 server of its own that uses a world's time.
struct BucketWorld: Sendable {
    let store: ObjectStoreServer
    /// The settings by which a process finds it.
    let environment: [String: String]
    let location: String

    init(at date: Date) async throws {
        store = try await ObjectStoreServer()
        location = "\(ObjectStoreServer.location)/\(UUID().uuidString)"
        environment = [
            "QUARTERMASTER_CONTENT": location, "QUARTERMASTER_OBJECT_STORE_ENDPOINT": store.endpoint,
            "QUARTERMASTER_OBJECT_STORE_REGION": ObjectStoreServer.region,
            "AWS_ACCESS_KEY_ID": ObjectStoreServer.accessKeyID,
            "AWS_SECRET_ACCESS_KEY": ObjectStoreServer.secretAccessKey,
        ]
        try await store.receive("now \(date.timeIntervalSince1970)")
    }

    /// The place of the bundles, as a server finds it.
    func place(clock: @escaping @Sendable () -> Date) async throws -> ContentPlace {
        try Settings(await SettingSources(flags: [:], environment: environment, file: nil)).contentPlace(clock: clock)
    }

    /// Publishes what the project comes with.
    func publishAll(_ trail: any Ledger, at date: Date) async throws {
        let version = try #require(SemanticVersion("1.0.0"))
        let publisher = ContentPublisher(content: try await place { date }, trail: trail)
        for bundle in ["hard-words", "ios-words", "night-theme"] {
            _ = try await publisher.publish(
                Project.folder("content/\(bundle)/1.0.0"),
                as: VersionPlan(bundle: BundleName(stored: bundle), version: version),
                PublishingAct(by: .command(user: "root"), at: date))
        }
    }
}
