import Foundation
import InAppPurchase

/// The standing of a history of one handler.
struct StandingOf<Handler: CondensingHandler>: HandlerStanding {
    var standing: Handler.Standing

    func adding(_ purchase: Purchase<Product>) -> (any HandlerStanding)? {
        guard let typed = purchase.typed(Handler.self) else { return nil }
        return Handler.standing(standing, adding: typed).map(Self.init)
    }

    func access(to product: ProductID, renewals: [TransactionID: RenewalFacts], at date: Date) -> Access? {
        Handler.access(to: product, given: standing, renewals: renewals, at: date)
    }

    func runs(of product: ProductID) -> [DateInterval] {
        Array(Handler.runs(of: product, in: standing).suffix(ProductEntitlement.maximumRuns))
    }

    func encode(to encoder: any Encoder) throws { try standing.encode(to: encoder) }

    func write(to writer: inout CompactWriter, _ encoder: JSONEncoder) throws {
        if let standing = standing as? any CompactStanding { return standing.write(to: &writer) }
        writer.write(data: try encoder.encode(standing))
    }
}

extension CondensingHandler {
    static func standing(of purchases: [Purchase<Product>]) -> any HandlerStanding {
        let history = PurchaseHistory(purchases: purchases.compactMap { $0.typed(Self.self) })
        return StandingOf<Self>(standing: condensed(standing(of: history)))
    }

    /// - Parameter decoder: for a standing that has no compact form.
    static func readStanding(from reader: inout CompactReader, _ decoder: JSONDecoder) throws -> any HandlerStanding {
        if let compact = Standing.self as? any CompactStanding.Type,
            let standing = try compact.init(from: &reader) as? Standing
        {
            return StandingOf<Self>(standing: standing)
        }
        return StandingOf<Self>(standing: try decoder.decode(Standing.self, from: reader.readData()))
    }
}
