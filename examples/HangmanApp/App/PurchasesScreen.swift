import QuartermasterClient
import StoreKit
import SwiftUI

struct PurchasesScreen: View {
    let model: ShopModel
    @State var purchases: [ShopPurchase] = []
    @State private var next: String?
    @State private var acts = Acts()
    @State private var transaction = UInt64(0)
    @State private var isAsking = false

    var body: some View {
        Screen(title: "Purchases", model: model, acts: acts) {
            ForEach(model.state.rows(of: purchases)) { row in
                LabeledContent {
                    if let refundable = row.refundable {
                        Button("Ask for a refund") { (transaction, isAsking) = (refundable, true) }
                    }
                } label: {
                    Text(row.title)
                    Text(row.detail)
                }
            }
            if next != nil { Button("Earlier purchases") { load() } }
        }
        .task { await begin() }
        // The App Store decides. Access and credits change when it has told the server.
        .refundRequestSheet(for: transaction, isPresented: $isAsking)
    }

    private func begin() async { if purchases.isEmpty, model.state.account.id != nil { load() } }

    private func load() {
        acts.perform {
            let page = try await model.shop.purchases(after: next)
            purchases = next == nil ? page.items : purchases + page.items
            next = page.next
            return nil
        }
    }
}

struct PurchasesScreenPreviews: PreviewProvider {
    static var previews: some View {
        PurchasesScreen(model: ShopModel(preview: .member), purchases: ShopState.samplePurchases)
    }
}
