import HTTPTypes
import InAppPurchase
package import ServerHTTP

extension Problem {
    package static let unknownProduct = Problem(.notFound, "unknown_product", "Unknown product")

    fileprivate init(_ refusal: CatalogRefusal) {
        self =
            switch refusal {
            case .unknownApp: .unknownApp
            case .unknownProduct: .unknownProduct
            case .preconditionFailed(let revision): .preconditionFailed(revision: revision)
            case .unreadableEntry(let detail): .invalidRequest(detail)
            case .invalidProduct(let detail):
                Problem(.unprocessableContent, "invalid_product", "The product entry is invalid", detail: detail)
            case .invalidApp(let detail):
                Problem(.unprocessableContent, "invalid_app", "The settings of the app are invalid", detail: detail)
            case .appInUse(let detail): Problem(.conflict, "app_in_use", "The app cannot be removed", detail: detail)
            case .invalidCatalog(let detail):
                Problem(.conflict, "invalid_catalog", "The catalog is invalid and cannot be edited", detail: detail)
            case .busy: .unwritableCatalog("Another process is editing the catalog, or hangs while it does.")
            case .notWritable(let detail): .unwritableCatalog(detail)
            }
    }

    private static func preconditionFailed(revision: String) -> Problem {
        var problem = Problem(
            .preconditionFailed, "precondition_failed", "The catalog entry does not match the precondition",
            detail: "Somebody else changed it, or it already exists. Get it again and decide again.")
        problem.headers[.eTag] = "\"\(revision)\""
        return problem
    }

    private static func unwritableCatalog(_ detail: String) -> Problem {
        var problem = storageUnavailable
        problem.detail = detail
        return problem
    }
}

extension CatalogRefusal: ProblemConvertible {
    package var problem: Problem { Problem(self) }

    package var isOurs: Bool {
        switch self {
        case .busy, .notWritable, .invalidCatalog: true
        default: false
        }
    }
}
