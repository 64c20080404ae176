import ArgumentParser
import Foundation
import InAppPurchase
import ServerCore

struct InitCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init", abstract: "Make the folder of a new shop: settings, two products and a pack of words.",
        discussion: """
            The folder must be empty or not exist yet. `quartermaster serve` serves the shop in it, with a simulated \
            App Store.

            Example: quartermaster init shop --bundle-id com.example.words
            """)

    @Argument(help: "The folder.") var folder: String
    @Option(name: .customLong("bundle-id"), help: "The app's bundle ID, as in Xcode.") var app: BundleID

    func validate() throws {
        let isWord = app.text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "-.".contains($0)) }
        guard isWord, !app.text.isEmpty else {
            throw ValidationError("--bundle-id: letters, digits, '-' and '.', as in com.example.words")
        }
    }

    func run() throws {
        let files = FileManager.default
        let isEmpty = (try? files.contentsOfDirectory(atPath: folder))?.isEmpty
        guard isEmpty ?? !files.fileExists(atPath: folder) else {
            throw CommandError("\(folder): there is something already; name an empty folder, or a new one")
        }
        do {
            for (name, text) in ShopTemplate(app: app).files {
                let file = URL(filePath: folder).appending(path: name)
                try files.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try text.write(to: file, atomically: true, encoding: .utf8)
            }
        } catch {
            throw CommandError("\(folder): the shop cannot be written: \(error.localizedDescription)")
        }
        let steps = [folder == "." ? nil : "cd \(folder)", "quartermaster serve"].compactMap { $0.map { "  \($0)" } }
        let made = "\(folder): a shop with two products and a pack of words. README.md says what is in it. Next:"
        print(([made] + steps).joined(separator: "\n"))
    }
}

/// The files of a new shop.
private struct ShopTemplate {
    let app: BundleID

    /// Their texts, by name.
    var files: [String: String] {
        [
            "quartermaster.json": Self.settings, "products.json": products, "README.md": readme,
            "content/first-words/1.0.0/pack.json": Self.pack, "content/first-words/1.0.0/words.txt": Self.words,
        ]
    }

    private static let settings = """
        {
          "port": 8080,
          "database": "quartermaster.sqlite",
          "products": "products.json",
          "content": "content",
          "simulator": true,
          "simulatorPort": 8090
        }

        """

    /// Sandbox purchases entitle testers: everybody would be too many, and with nobody App Review could not buy.
    private var products: String {
        """
        {
          "apps": [
            {
              "bundleID": "\(app)",
              "sandbox": "testers",
              "products": [
                {"id": "\(app).firstwords", "name": {"en": "First words"}, "type": "non-consumable",
                 "bundles": ["first-words"]},
                {"id": "\(app).tenhints", "name": {"en": "Ten hints"}, "type": "consumable", "credits": {"hints": 10}}
              ]
            }
          ]
        }

        """
    }

    private static let pack = """
        {
          "kind": "word-pack",
          "formatVersion": 1,
          "name": "First words",
          "description": "Four words to begin with.",
          "license": "CC0-1.0",
          "language": "en",
          "words": "words.txt",
          "wordCount": 4
        }

        """

    private static let words = """
        anchor\tHolds a ship where it is
        beacon\tA light to steer by
        cargo\tWhat a ship is paid for
        depot\tWhere supplies wait

        """

    private var readme: String {
        """
        # The shop of \(app)

        `quartermaster serve` here serves it at http://127.0.0.1:8080, and a simulated App Store at port 8090.

        - `products.json`: what is sold. A running server reads a change within a second.
        - `content/<bundle>/<version>/`: what players get. To change it, publish the next version.
        - `quartermaster.json`: the settings, which every command in this folder reads.
        - `quartermaster.sqlite`, made at the first start: the purchases. Back it up, and keep it secret.
        - `quartermaster admin-token open --name me --role write`: a link to the pages for administrators.
        - For real purchases, remove `simulator` from the settings, and name another `database`.

        """
    }
}
