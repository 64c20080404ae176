import Basics
import Foundation
public import InAppPurchase

extension Receipt {
    /// The maximum size of a receipt in bytes of its text: Apple's own limit for a verifyReceipt request.
    public static let maximumSize = 3 << 20
}

extension Receipt.Kind {
    /// Recognizes the format of a receipt (``InAppPurchase/Receipt/unwrapped(_:)``) by its form alone; nothing is
    /// verified.
    ///
    /// A signed app transaction has the form of a signed transaction. An app receipt begins like PKCS#7; its verifier
    /// finds out whether it is one. A transaction receipt must be readable by ``TransactionReceiptHint``: much else
    /// begins with `{`, such as a truncated signed transaction. `nil` if it is no kind of receipt, or longer than
    /// ``InAppPurchase/Receipt/maximumSize``.
    public init?(of content: String) {
        guard content.utf8.count <= Receipt.maximumSize else { return nil }
        if content.isStoreID {
            self = .transactionID
        } else if content.isCompactJWS {
            self = .signedTransaction
        } else if Data(receiptBase64: content)?.first == Self.sequenceTag {
            self = .appReceipt
        } else if (try? TransactionReceiptHint(base64: content)) != nil {
            self = .transactionReceipt
        } else {
            return nil
        }
    }

    /// The tag of a DER (or BER) SEQUENCE, X.690 §8.9.
    static let sequenceTag: UInt8 = 0x30

    /// The white space of property lists and JSON.
    static let whitespace: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
}

extension Receipt {
    /// The receipt in its plain form, as recognized and hashed: signed data without white space, base64 that is not
    /// encoded once more, and base64 of a property list that was sent as text. `content` itself if it is in none of
    /// these forms.
    public static func plain(_ content: String) -> String {
        guard content.utf8.count <= maximumSize, Kind(of: content) == nil else { return content }
        let dense = content.withoutWhitespace
        if dense.isCompactJWS { return dense }
        let encoded = Data(content.utf8).base64EncodedString()
        if Kind(of: encoded) == .transactionReceipt { return encoded }
        guard let bytes = Data(receiptBase64: content), let inner = String(validating: bytes, as: UTF8.self) else {
            return content
        }
        // Not a transaction ID: much else is digits in base64.
        let denseInner = inner.withoutWhitespace
        if denseInner.isCompactJWS { return denseInner }
        switch Kind(of: inner) {
        case .appReceipt, .transactionReceipt: return inner
        case .signedTransaction, .transactionID, nil: return content
        }
    }
}

extension String {
    fileprivate var withoutWhitespace: String {
        String(decoding: utf8.filter { !Receipt.Kind.whitespace.contains($0) }, as: UTF8.self)
    }

    /// Whether this is a transaction ID of the App Store: 1 to 20 decimal digits (64 bits have up to 20).
    var isStoreID: Bool {
        (1...20).contains(utf8.count) && utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether this has the form of a JWS in compact serialization (RFC 7515 §7.1).
    fileprivate var isCompactJWS: Bool {
        withDottedParts { header, payload, signature in
            [header, payload, signature].allSatisfy { !$0.isEmpty && $0.areBase64URL }
        } ?? false
    }
}
