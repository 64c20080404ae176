import Foundation
import TestSupport
import Testing

@testable import QuartermasterClient

/// Bundles that an app needs to begin with, and those for players of some languages.
@Suite struct EssentialBundleTests {
    @Test(arguments: [
        (["en"], ["all", "en", "zh"]), (["de-CH-1996", "en"], ["all", "de"]), (["DE"], ["all", "de"]),
        (["fr", "pt-BR", "en"], ["all", "pt"]), (["pt", "de"], ["all", "de"]), (["zh-Hant-TW"], ["all", "zh"]),
        (["zh-Hans"], ["all", "en", "zh"]), (["fr"], ["all", "en", "zh"]), ([], ["all", "en", "zh"]),
        (["de-a-value"], ["all", "de"]),
    ])
    func `One language of the player's chooses, by look-up, and else the first of the list`(
        languages: [String], bundles: [String]
    ) {
        let contents: [(String, [String])] = [
            ("all", []), ("en", ["en", "en-GB"]), ("de", ["de"]), ("pt", ["pt-BR"]), ("zh", ["zh-Hant", "en"]),
        ]
        let list = contents.map { ListedContent(bundle: $0.0, version: "1.0.0", size: 1, languages: $0.1) }
        #expect(ListedContent.chosen(of: list, for: languages).sorted() == bundles)
    }

    @Test(.enabled(if: ShopServer.isBuilt))
    func `The essential bundle of the player's language is there after the first start, and no other`() async throws {
        let catalog = #""openBundles": ["hard-words", "night-theme", "open-words"], "products": []"#
        let server = try await ShopServer(catalog: catalog)
        try await server.start()
        for (bundle, language) in [("hard-words", "en"), ("night-theme", "de")] {
            let source = server.folder.appending(path: "source-\(bundle)")
            try DownloadWorld.write(["words.txt": Data(bundle.utf8)], to: source)
            let content = server.folder.appending(path: "content").path
            _ = try await server.command(
                "bundles", "publish", source.path, "--bundle", bundle, "--version", "1.1.0", "--content", content,
                "--essential", "--languages", language)
        }
        let api = API(server: server.url, transport: HTTPTransport(timeouts: .patient))
        try await eventually("both are listed") {
            let list = try await api.send(APIRequest(.get, "v1", "apps", ShopServer.app, "products")).body
            return try JSONDecoder().decode(ProductList.self, from: list).contents.filter(\.isEssential).count == 2
        }
        var setup = Device.Setup()
        setup.languages = ["de-AT", "en"]
        let phone = try await Device(server, customer: "ada", folder: Device.newFolder(), setup)
        try await phone.waits(for: "the bundle") { state in
            state.bundles.contains { $0.name == "night-theme" && $0.installed != nil }
        }
        let bundles = await phone.shop.state.bundles
        #expect(bundles.filter { $0.installed != nil }.map(\.name) == ["night-theme"])
        #expect(bundles.filter(\.isForPlayer).map(\.name) == ["night-theme", "open-words"])
        #expect(bundles.filter(\.isEssential).map(\.languages) == [["en"], ["de"]])
        #expect(bundles.allSatisfy { $0.name == "night-theme" || $0.progress == nil })
        await phone.quit()
        try await server.end()
    }
}
