import Foundation
import InAppPurchase

/// Where the catalog is kept.
protocol CatalogSource: Sendable {
    /// For messages to the operator.
    var name: String { get }
    /// Whether people edit it themselves, so that the audit trail has to be told of it.
    var isEditedByHand: Bool { get }

    /// What stands there, whether it is right or not.
    ///
    /// - Throws: ``CatalogError`` where it cannot be read; ``InAppPurchase/LedgerUnavailable``.
    func text() async throws -> Data

    /// The catalog as it stands there, where that is not what is served.
    ///
    /// - Throws: ``CatalogError`` where it is wrong; ``InAppPurchase/LedgerUnavailable``.
    func file(
        otherThan served: CatalogFile?, bundles: [BundleName], handlers: [any ProductHandler.Type]
    ) async throws -> CatalogFile?
}

extension CatalogSource {
    /// The catalog as it is now.
    ///
    /// - Throws: ``CommandError`` that names the place and the mistake.
    func load(bundles: [BundleName], handlers: [any ProductHandler.Type]) async throws -> CatalogFile {
        do {
            guard let file = try await file(otherThan: nil, bundles: bundles, handlers: handlers) else {
                throw CatalogError.none
            }
            return file
        } catch let mistake as CatalogError {
            throw CommandError("\(name): \(mistake)")
        }
    }
}

extension CatalogError {
    static let none = CatalogError("there is none; quartermaster catalog push <file> puts one there")
}
