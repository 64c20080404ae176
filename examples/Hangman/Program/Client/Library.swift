import Foundation
import HangmanGame
import QuartermasterClient

/// Reads the packs and themes that are installed.
actor Library {
    private let quartermaster: Quartermaster
    private var items: [String: (version: String, item: Shelf.Item?)] = [:]

    init(_ quartermaster: Quartermaster) {
        self.quartermaster = quartermaster
    }

    /// The packs and themes that are readable now. Files are read again only if their version is another.
    func shelf(_ bundles: [ShopBundle]) async -> Shelf {
        var shelf = Shelf()
        for bundle in bundles where bundle.installed != nil && bundle.isReadable {
            guard let installed = await quartermaster.installed(bundle.name) else { continue }
            if items[bundle.name]?.version != installed.version {
                items[bundle.name] = (installed.version, item(installed))
            }
            if let item = items[bundle.name]?.item { shelf.items.append(item) }
        }
        return shelf
    }

    /// The words of a pack; those that are built in if there is no such pack, or it may not be read.
    func words(_ bundle: String?) async -> WordPack {
        guard let bundle, let installed = await quartermaster.installed(bundle), let pack = try? words(installed) else {
            return .builtIn
        }
        return pack
    }

    private func item(_ bundle: InstalledBundle) -> Shelf.Item? {
        if let theme = try? Theme(bytes(Theme.manifestName, in: bundle)) {
            return Shelf.Item(bundle: bundle.name, title: theme.name, kind: .theme(theme))
        }
        guard let pack = try? words(bundle) else { return nil }
        return Shelf.Item(bundle: bundle.name, title: pack.name, kind: .words(count: pack.entries.count))
    }

    private func words(_ bundle: InstalledBundle) throws -> WordPack {
        let manifest = try WordPack.manifest(bytes(WordPack.manifestName, in: bundle))
        return try WordPack(manifest, words: bytes(manifest.words, in: bundle))
    }

    private func bytes(_ path: String, in bundle: InstalledBundle) throws -> Data {
        guard let url = bundle.url(of: path) else { throw UnreadableContent() }
        return try Data(contentsOf: url)
    }
}
