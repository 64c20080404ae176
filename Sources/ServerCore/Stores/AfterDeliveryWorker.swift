import ServerHTTP
import ServiceLifecycle

/// Does periodically what a store expects after deliveries.
package struct AfterDeliveryWorker: PeriodicService {
    package static let interval = Duration.seconds(5)

    package let store: any Store

    package init(store: any Store) {
        self.store = store
    }

    package func runOnce() async { await store.actAfterDelivery() }
}
