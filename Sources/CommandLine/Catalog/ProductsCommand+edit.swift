import ArgumentParser
import InAppPurchase
import ServerCore
import ServerHTTP

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
