import QuartermasterClient
import StoreKit
import SwiftUI

struct ShopScreen: View {
    let model: ShopModel
    /// Confirms a purchase in this window, whichever others there are.
    @Environment(\.purchase) private var purchase
    @State private var acts = Acts()

    var body: some View {
        Screen(title: "Shop", model: model, acts: acts) {
            if let notice = model.state.notice { Text(notice) }
            Button("Use a hint (\(model.state.hintsLeft) left)") { spend() }.disabled(model.state.hintsLeft < 1)
            ForEach(model.state.productRows()) { row in
                LabeledContent {
                    Button(row.button) { buy(row) }.disabled(!row.isEnabled)
                } label: {
                    Text(row.name)
                    Text(row.detail)
                }
            }
            // Spends whose answer was lost: what was paid for is still owed to the player.
            ForEach(model.state.spends.filter(\.isSettled)) { spend in
                Button("Show the letter that you paid for") {
                    acts.perform {
                        try await model.shop.acknowledgeSpend(spend.key)
                        return "The letter is E."
                    }
                }
            }
            Button("Restore purchases") { acts.restore(model) }
        }
    }

    private func buy(_ row: ProductRow) {
        acts.perform { [purchase] in
            let result = try await model.shop.buy(row.id, again: row.extends) { product, options in
                try await purchase(product, options: options)
            }
            return result.text(about: row.name)
        }
    }

    private func spend() {
        acts.perform {
            let left = try await model.shop.spend(1, of: ShopState.hints)
            return "The letter is E. You have \(left) hints left."
        }
    }
}

struct ShopScreenPreviews: PreviewProvider {
    static var previews: some View {
        ShopScreen(model: ShopModel(preview: .firstLaunch))
        ShopScreen(model: ShopModel(preview: .member))
        ShopScreen(model: ShopModel(preview: .offline))
    }
}
