import InAppPurchase
import Ledger
import ServerCore

/// The type of a changed product beside the one that its purchases prove: with another one they give nothing.
struct TypeComparison {
    private let listed: ProductType
    /// The type before the change; `nil` for a new product.
    private let former: ProductType?
    /// The purchases that wait for the product; `nil` if there are none.
    private let missing: MissingProduct?

    /// - Returns: `nil` for a change that leaves no product.
    init?(_ change: some RecordedChange, _ ledger: any CatalogLedger) async throws {
        let files = change.files
        guard let id = change.changedProduct, let product = files.new.catalog.product(id, of: change.app) else {
            return nil
        }
        listed = product.type
        former = files.old.catalog.product(id, of: change.app)?.type
        missing = try await ledger.missingProducts().first { $0.app == change.app && $0.product == id }
    }

    /// Whether purchases that wait would still give nothing.
    var isWrong: Bool { missing.map { !listed.fits(provenType: $0.type) } ?? false }

    var facts: [Fact] {
        guard let missing, let type = missing.type else { return [] }
        let purchases = missing.purchases == 1 ? "1 purchase waits" : "\(missing.purchases) purchases wait"
        return [
            Fact("Type in the App Store", Cell(type.rawValue, note: "\(purchases) for it")),
            Fact("Type in the catalog then", Cell(listed.rawValue)),
        ]
    }

    /// The mistake that saving it would be, or may be; `nil` if nothing speaks for one.
    var notice: Notice? {
        if isWrong {
            return Notice(
                "It \(listed.wordsOfMismatch(with: missing?.type)): saved so, nobody is given what was bought.", .bad)
        }
        guard let former, former != listed, missing?.type == nil else { return nil }
        return Notice(
            "Its type was \(former.rawValue). If it still is in the App Store, purchases are no longer given.", .waiting
        )
    }
}
