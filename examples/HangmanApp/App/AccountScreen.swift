import QuartermasterClient
import SwiftUI

struct AccountScreen: View {
    let model: ShopModel
    @State private var acts = Acts()
    @State private var code = ""

    var body: some View {
        Screen(title: "Account", model: model, acts: acts) {
            Text(model.state.accountText())
            Button("Show the recovery code") {
                acts.perform { try await model.shop.recoveryCode() ?? "There is no account yet." }
            }
            .disabled(model.state.account.id == nil)
            TextField("Recovery code of another device", text: $code)
            Button("Open that account") {
                acts.perform {
                    try await model.shop.signIn(recoveryCode: code)
                    return "The account is open, with all that it owns."
                }
            }
            .disabled(code.isEmpty)
            ForEach(model.state.accountsFound, id: \.self) { account in
                Button("Open the account of your other device (\(account.uuidString.prefix(4)))") {
                    acts.perform {
                        try await model.shop.signIn(account: account)
                        return nil
                    }
                }
            }
            NavigationLink("Purchases and refunds") { PurchasesScreen(model: model) }
        }
    }
}

struct AccountScreenPreviews: PreviewProvider {
    static var previews: some View {
        AccountScreen(model: ShopModel(preview: .firstLaunch))
        AccountScreen(model: ShopModel(preview: .member))
    }
}
