import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore
import ServerHTTP

/// A product list as bytes in each content coding, ready to be sent.
package final class ReadyProductList: Sendable {
    /// The list in one content coding.
    struct Encoded: Sendable {
        let bytes: ByteBuffer
        /// The header lines of a 200.
        let fields: ByteBuffer
        /// The header lines of a 304.
        let validators: ByteBuffer
    }

    let revision: ProductLists.Revision
    let text: TextRepresentations
    private let encoded: [TextCoding: Encoded]
    private let period: SalePeriod

    init(_ plain: ByteBuffer, _ revision: ProductLists.Revision, valid period: SalePeriod) throws {
        self.period = period
        self.revision = revision
        let text = try TextRepresentations(plain, ProductRoutes.type).prepared()
        self.text = text
        encoded = try Dictionary(
            uniqueKeysWithValues: text.codings.map { coding in
                (
                    coding,
                    Encoded(
                        bytes: try text.bytes(coding),
                        fields: AnswerHead.lines(text.headers(coding, ProductRoutes.headers)),
                        validators: AnswerHead.lines(text.validators(coding, ProductRoutes.headers)))
                )
            })
    }

    /// The list in a coding of ``TextRepresentations/codings``.
    func encoded(_ coding: TextCoding) -> Encoded? { encoded[coding] }

    func holds(at date: Date) -> Bool { period.contains(date) }
}

/// The time in which a product list stays as it is: no sale begins or ends.
struct SalePeriod: Sendable {
    /// The last beginning or end of a sale before the list was made; `nil` if there was none.
    let from: Date?
    /// The next beginning or end of a sale; `nil` if there is none.
    let until: Date?

    func contains(_ date: Date) -> Bool { (from.map { date >= $0 } ?? true) && (until.map { date < $0 } ?? true) }
}
