package import Foundation
import InAppPurchase

/// The position of a delivery in the list of all, oldest first.
package struct DeliveryPosition: Hashable, Sendable {
    package var date: Date
    package var id: String

    package init(date: Date, id: String) {
        self.date = date
        self.id = id
    }

    package init(_ delivery: ManifestDelivery) { self.init(date: delivery.firstDate, id: delivery.id) }
}
