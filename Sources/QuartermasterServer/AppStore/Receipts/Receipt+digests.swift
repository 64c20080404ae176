import AppStore
import Crypto
import Foundation
import InAppPurchase

extension Receipt {
    /// The SHA-256 hashes by which a receipt that is sent again is recognized.
    struct Digests {
        /// See ``InAppPurchase/Receipt/digest``.
        let digest: Data
        /// See ``InAppPurchase/Receipt/textDigest``.
        let text: Data?

        /// Line breaks, and bits after the last byte, make no difference in base64.
        init(of content: String, _ kind: Kind) {
            let text = Data(SHA256.hash(data: Data(content.utf8)))
            let bytes = kind.bytes(of: content)
            digest = bytes.map { Data(SHA256.hash(data: $0)) } ?? text
            self.text = bytes == nil ? nil : text
        }
    }
}

extension Receipt.Kind {
    /// The bytes that the content encodes in base64; `nil` if it stands for itself.
    fileprivate func bytes(of content: String) -> Data? {
        guard self == .appReceipt || self == .transactionReceipt, let bytes = Data(receiptBase64: content) else {
            return nil
        }
        // Bytes that are the text of another receipt, such as a transaction ID, must not have its digest.
        if let text = String(validating: bytes, as: UTF8.self), Receipt.Kind(of: text) != nil { return nil }
        return bytes
    }
}
