import Observation
import QuartermasterClient
import SwiftUI

@main
struct HangmanApp: App {
    @State private var opening: Opening

    // Not in a view: the system launches the app without a window, too, for a transaction or a download.
    init() {
        let opening = Opening()
        opening.begin()
        _opening = State(initialValue: opening)
    }

    var body: some Scene {
        WindowGroup {
            if let model = opening.model {
                Tabs(model: model)
            } else {
                Text(opening.failure ?? "Opening the shop…")
            }
        }
    }
}

private struct Tabs: View {
    let model: ShopModel

    var body: some View {
        TabView {
            NavigationStack { ShopScreen(model: model) }.tabItem { Label("Shop", systemImage: "cart") }
            NavigationStack { SubscriptionScreen(model: model) }.tabItem { Label("Club", systemImage: "star") }
            NavigationStack { PacksScreen(model: model) }.tabItem { Label("Packs", systemImage: "square.stack") }
            NavigationStack { AccountScreen(model: model) }.tabItem { Label("Account", systemImage: "person") }
        }
    }
}

/// Opens the shop, once for the life of the app.
@MainActor @Observable final class Opening {
    private(set) var model: ShopModel?
    private(set) var failure: String?

    func begin() { Task { await open() } }

    private func open() async {
        while model == nil {
            do {
                model = ShopModel(try await shop())
            } catch {
                // Before the device was unlocked first, nothing can be read yet.
                failure = "The shop is closed: \(error.localizedDescription)"
                try? await Task.sleep(for: .seconds(2))
            }
        }
        await model?.run()
    }

    private func shop() async throws -> Quartermaster {
        // The server on the developer's machine; for the App Store, yours with https.
        guard let server = URL(string: "http://localhost:8080") else { throw URLError(.badURL) }
        let prefix = "com.example.hangman"
        let configuration = Quartermaster.Configuration(
            server: server, bundleID: prefix, folder: URL.applicationSupportDirectory.appending(path: "Shop"),
            appVersion: Bundle.main.infoDictionary?["CFBundleShortVersionString"] as? String,
            builtIn: [ListedProduct(id: "\(prefix).hardwords", type: .nonConsumable, bundles: ["hard-words"])])
        let credentials = KeychainCredentials(bundleID: prefix)
        let shop = try await Quartermaster.open(configuration, source: AppStoreSource(), credentials: credentials)
        Task { for await product in shop.promotedPurchases { _ = try? await shop.buy(product) } }
        return shop
    }
}
