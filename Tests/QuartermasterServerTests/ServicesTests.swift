import ServerTestSupport
import ServiceLifecycle
import Testing

@testable import AdminPages
@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The services beside the requests start with the server.
@Suite struct ServicesTests {
    @Test func `Every worker runs with the server`() async throws {
        try await World.run { world in
            let services = world.assembly.services
            func runs<Kind>(_ kind: Kind.Type) -> Bool { services.contains { $0 is Kind } }
            #expect(runs(RetryWorker.self) && runs(NotificationWorker.self) && runs(AfterDeliveryWorker.self))
            #expect(runs(ReconciliationWorker.self) && runs(AuditSealer.self) && runs(CatalogWatcher.self))
            #expect(runs(GrantKeyring.self) && runs(ManifestKeyring.self) && runs(ContentCache.self))
            #expect(runs(PublicationDates.self) && runs(VariantWorker.self) && runs(MisplacedPurchaseCounter.self))
            #expect(runs(OverviewWatch.self) && runs(LedgerWatch.self))
            let lines = services.compactMap { $0 as? RepeatedLines }
            #expect(
                lines.count == 1 && lines.first === world.assembly.routes.services.lines, "those that the routes count")
        }
    }
}
