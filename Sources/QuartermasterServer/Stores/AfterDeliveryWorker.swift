import ServerHTTP
import ServiceLifecycle

/// Does periodically what a store expects after deliveries.
struct AfterDeliveryWorker: PeriodicService {
    static let interval = Duration.seconds(5)

    let store: any Store

    func runOnce() async { await store.actAfterDelivery() }
}
