import Content
import Foundation
import HTTPTypes
import InAppPurchase
import NIOCore

/// A product list as bytes in each content coding, ready to be sent.
final class ReadyProductList: Sendable {
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
    /// The last beginning or end of a sale before the list was made; `nil` if there was none. The list is valid from
    /// then on.
    private let from: Date?
    /// The next beginning or end of a sale; `nil` if there is none. The list is valid until then.
    private let until: Date?

    /// The size in all codings together.
    let byteCount: Int

    /// - Parameter period: from the last beginning or end of a sale to the next one.
    init(
        _ plain: ByteBuffer, _ revision: ProductLists.Revision, valid period: (from: Date?, until: Date?)
    ) throws {
        (from, until) = period
        self.revision = revision
        let text = try TextRepresentations(plain, ProductRoutes.type).prepared()
        self.text = text
        byteCount = try text.codings.reduce(0) { try $0 + text.bytes($1).readableBytes }
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

    func holds(at date: Date) -> Bool { (from.map { date >= $0 } ?? true) && (until.map { date < $0 } ?? true) }
}
