import QuartermasterClient
import StoreKit
import SwiftUI

struct SubscriptionScreen: View {
    let model: ShopModel
    @Environment(\.purchase) private var purchase
    @State private var acts = Acts()
    @State private var isManaging = false

    var body: some View {
        Screen(title: "Club", model: model, acts: acts) {
            ForEach(model.state.clubOffers) { offer in
                VStack(alignment: .leading) {
                    Text(offer.name).font(.headline)
                    Text(offer.price).font(.title)
                    if let introduction = offer.introduction { Text(introduction) }
                    Text(offer.detail).font(.footnote)
                    Button(offer.button) { buy(offer) }.disabled(!offer.isEnabled)
                }
            }
            if let status = model.state.clubStatus() { Text(status) }
            Text(ShopState.renewalTerms).font(.footnote)
            ForEach(model.state.clubLinks, id: \.url) { link in Link(link.title, destination: link.url) }
            Button("Restore purchases") { acts.restore(model) }
            if let group = model.state.clubGroupID {
                Button("Manage the subscription") { isManaging = true }
                    .manageSubscriptionsSheet(isPresented: $isManaging, subscriptionGroupID: group)
            }
        }
    }

    private func buy(_ offer: ClubOffer) {
        acts.perform { [purchase] in
            let result = try await model.shop.buy(offer.id) { try await purchase($0, options: $1) }
            return result.text(about: offer.name)
        }
    }
}

struct SubscriptionScreenPreviews: PreviewProvider {
    static var previews: some View {
        SubscriptionScreen(model: ShopModel(preview: .firstLaunch))
        SubscriptionScreen(model: ShopModel(preview: .member))
    }
}
