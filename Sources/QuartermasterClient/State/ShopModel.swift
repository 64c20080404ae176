public import Observation

/// The shop's state for SwiftUI: a view that reads ``state`` is drawn again when it changes.
///
/// Create one for the life of the app, and run it from the first view: `.task { await model.run() }`.
@MainActor
@Observable
public final class ShopModel {
    /// The shop behind it, to buy, restore, spend and download.
    @ObservationIgnored public let shop: Quartermaster
    /// The newest snapshot.
    public private(set) var state = ShopState()

    public init(_ shop: Quartermaster) {
        self.shop = shop
    }

    /// Starts the shop and follows its states until the task ends. The shop keeps running, and the next call follows it
    /// again.
    public func run() async {
        // Before the start: what is on disk is shown before the network is asked.
        let states = shop.states()
        await shop.start()
        for await state in states { self.state = state }
    }
}
