import ArgumentParser
import Foundation
import InAppPurchase
import ServerCore
import ServerHTTP
import StrictJSON

extension ProductsCommand {
    struct Add: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Add a product, or replace the entry with its ID.",
            discussion: """
                A running server uses the change within two seconds. The change is recorded in the audit trail.
                Example: quartermaster products add --app com.example.hangman \\
                    '{"id": "com.example.hangman.fivehints", "type": "consumable", "credits": {"hints": 5}}'
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Option(help: "A file with the entry.") var file: String?
        @Argument(help: "The entry as in the catalog; - reads it from standard input.") var entry: String?

        func validate() throws {
            guard (file == nil) != (entry == nil) else {
                throw ValidationError("Give exactly one of the entry, --file, or - for standard input.")
            }
        }

        func run(_ program: any ServerProgram) async throws {
            let json = try EditOptions.json(of: entry, file: file, maximumBytes: ProductEntry.maximumBytes)
            try await edit.apply(
                CatalogEdit(app: edit.app, product: nil, act: .put(json), condition: edit.condition), options,
                program.handlers)
        }
    }

    struct Edit: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Change members of a product's entry; the others stay as they are.",
            discussion: """
                A value is JSON, or a text without quotes; null removes the member. A text that looks like JSON needs \
                its quotes: '"1.2"' for an app version. A running server uses the change within two seconds. The \
                change is recorded in the audit trail.
                Example: quartermaster products edit --app com.example.hangman com.example.hangman.fivehints \\
                    --set 'credits={"hints": 6}' --set availableUntil=2027-01-01T00:00:00Z --set bundles=null
                """)

        /// A member of an entry, and its new value as JSON; `nil` if it is removed.
        struct Member {
            let name: String
            let value: Data?

            init(_ text: String) throws {
                guard let end = text.firstIndex(of: "="), end > text.startIndex else {
                    throw ValidationError("a member and its value, such as availableFrom=2027-01-01T00:00:00Z")
                }
                let value = String(text[text.index(after: end)...])
                name = String(text[..<end])
                let json = try? StrictJSON(Data(value.utf8), ProductEntry.limits)
                self.value = json.map { $0.root.kind == .null ? nil : $0.bytes } ?? value.jsonText
            }
        }

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Option(help: "A member and its value, name=value; for several, repeat the option.", transform: Member.init)
        var set: [Member]
        @Argument(help: "The product's ID.") var id: ProductID

        func run(_ program: any ServerProgram) async throws {
            let members = set.map { (name: $0.name, value: $0.value) }
            try await edit.apply(
                CatalogEdit(app: edit.app, product: id, act: .set(members), condition: edit.condition), options,
                program.handlers)
        }
    }

    struct Remove: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Take a product off sale. Existing purchases are kept.",
            discussion: """
                A running server uses the change within two seconds. The change is recorded in the audit trail.
                A purchase made before the removal but sent after it waits until the product is back, and so does the \
                next renewal of a subscription. Setting "availableUntil" in the product's entry is a gentler way.
                Example: quartermaster products remove --app com.example.hangman com.example.hangman.fivehints
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var edit: EditOptions
        @Argument(help: "The product's ID.") var id: ProductID

        func run(_ program: any ServerProgram) async throws {
            try await edit.apply(
                CatalogEdit(app: edit.app, product: id, act: .remove, condition: edit.condition), options,
                program.handlers)
        }
    }
}
