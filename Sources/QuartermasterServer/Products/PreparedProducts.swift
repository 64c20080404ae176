import Foundation
import InAppPurchase
import NIOCore

/// Everything that the product lists of an app are made from, in one state of catalog and content.
struct PreparedProducts: Sendable {
    let revision: ProductLists.Revision
    let app: App
    let classes: ClientClasses
    let texts: ProductTexts

    /// The list of everything that is on sale, in each content coding.
    func wholeList(at date: Date) throws -> ReadyProductList {
        try ReadyProductList(try text(for: ProductListQuery(), at: date), revision, valid: classes.period(around: date))
    }

    /// The list for a query, in the content coding that the client prefers.
    ///
    /// - Throws: 404 if the app has no such placement.
    func narrowedList(
        for query: ProductListQuery, acceptEncoding: String?, at date: Date
    ) throws -> NarrowedList {
        let text = TextRepresentations(try text(for: query, at: date), ProductRoutes.type)
        let ready = try text.prepared(text.coding(acceptEncoding: acceptEncoding)) { [self] in
            try self.text(for: query, at: date)
        }
        return NarrowedList(text: ready, revision: revision, period: classes.period(around: date))
    }

    private func text(for query: ProductListQuery, at date: Date) throws -> ByteBuffer {
        let offer = try ProductOffer(app, for: query, at: date)
        return ByteBuffer(bytes: try texts.list(offer, appVersion: query.client.appVersion))
    }
}
