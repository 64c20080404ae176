import Observation
import QuartermasterClient
import SwiftUI

/// A list with what every screen has: the line about what does not work, messages, and pull to refresh.
struct Screen<Content: View>: View {
    let title: String
    let model: ShopModel
    @Bindable var acts: Acts
    @ViewBuilder let content: Content

    var body: some View {
        List {
            content
            if let line = model.state.statusLine { Text(line).font(.footnote) }
        }
        .navigationTitle(title)
        .refreshable { [model] in try? await model.shop.resume() }
        .alert(acts.message, isPresented: $acts.isShown) { Button("OK") {} }
    }
}

/// The work of a screen's buttons, and the message about what came of it.
@MainActor @Observable final class Acts {
    var message = ""
    var isShown = false

    /// Does something, and shows the text that comes back, or the error's.
    func perform(_ work: @escaping @MainActor () async throws -> String?) {
        Task {
            do {
                guard let text = try await work() else { return }
                message = text
            } catch { message = text(about: error) }
            isShown = true
        }
    }

    /// App Review asks for a Restore button wherever something is sold (3.1.1). Only a tap may ask for a password.
    func restore(_ model: ShopModel) {
        perform {
            let result = try await model.shop.restore()
            return result.ownedByAnotherAccount.first?.text ?? "\(result.verified) purchases are here."
        }
    }
}
