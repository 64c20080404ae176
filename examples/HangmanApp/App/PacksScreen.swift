import QuartermasterClient
import SwiftUI

struct PacksScreen: View {
    let model: ShopModel
    @State private var acts = Acts()

    var body: some View {
        Screen(title: "Packs", model: model, acts: acts) {
            ForEach(model.state.packRows) { row in
                LabeledContent {
                    if let action = row.action { Button(action.rawValue) { perform(action, on: row.id) } }
                } label: {
                    Text(row.title)
                    Text(row.detail)
                    if let progress = row.progress { ProgressView(value: progress) }
                }
            }
        }
    }

    private func perform(_ action: PackRow.Action, on bundle: String) {
        acts.perform {
            switch action {
            case .download, .update, .resume: _ = try model.shop.download(bundle)
            case .pause: await (try model.shop.download(bundle)).pause()
            case .remove: await (try model.shop).remove(bundle)
            }
            return nil
        }
    }
}

struct PacksScreenPreviews: PreviewProvider {
    static var previews: some View { PacksScreen(model: ShopModel(preview: .member)) }
}
