public import Foundation

extension Data {
    /// Decodes base64 as clients send receipts: with line breaks, or with spaces if form decoding replaced `+`.
    ///
    /// `nil` if it is not base64 even then.
    public init?(receiptBase64 text: String) {
        let tolerated = text.utf8.compactMap { character -> UInt8? in
            switch character {
            case UInt8(ascii: "\r"), UInt8(ascii: "\n"), UInt8(ascii: "\t"): nil
            case UInt8(ascii: " "): UInt8(ascii: "+")
            default: character
            }
        }
        self.init(base64Encoded: Data(tolerated))
    }
}
