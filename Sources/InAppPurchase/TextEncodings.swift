package import Foundation

extension Data {
    /// RFC 4648 §5, without padding.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Lower-case hexadecimal.
    package var hex: String {
        // `String(format:)` for each byte was a tenth of what a product list costs.
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0x0f)]] }, as: UTF8.self)
    }
}
