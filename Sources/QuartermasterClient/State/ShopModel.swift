public import Observation

/// The shop's state for SwiftUI: a view that reads ``state`` is drawn again when it changes.
///
/// Create one for the life of the app, and run it from the first view: `.task { await model.run() }`.
@MainActor @Observable public final class ShopModel {
    @ObservationIgnored private let opened: Quartermaster?
    /// The newest snapshot.
    public private(set) var state = ShopState()

    public init(_ shop: Quartermaster) { opened = shop }

    /// A model that shows a state and does nothing, for previews and for tests of views.
    public init(preview state: ShopState) {
        opened = nil
        self.state = state
    }

    /// The shop behind it, to buy, restore, spend and download.
    ///
    /// - Throws: ``ShopUnavailable`` in a preview.
    public var shop: Quartermaster {
        get throws {
            guard let opened else { throw ShopUnavailable() }
            return opened
        }
    }

    /// Starts the shop and follows its states until the task ends. The shop keeps running, and the next call follows it
    /// again.
    public func run() async {
        guard let shop = opened else { return }
        // Before the start: what is on disk is shown before the network is asked.
        let states = shop.states()
        await shop.start()
        for await state in states { self.state = state }
    }
}
