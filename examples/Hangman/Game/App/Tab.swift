/// A screen of the game.
package enum Tab: Int, Sendable, CaseIterable {
    case play, store, packs, account

    package var title: String {
        switch self {
        case .play: "Play"
        case .store: "Store"
        case .packs: "Packs"
        case .account: "Account"
        }
    }

    /// The screen after so many others; after the last comes the first.
    package func advanced(by steps: Int) -> Self {
        let count = Self.allCases.count
        return Self(rawValue: ((rawValue + steps) % count + count) % count) ?? self
    }
}
