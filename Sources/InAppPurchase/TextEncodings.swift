package import Foundation

extension Data {
    /// RFC 4648 §5, without padding.
    package var base64URL: String {
        base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Lower-case hexadecimal.
    package var hex: String { map { String(format: "%02x", $0) }.joined() }
}
