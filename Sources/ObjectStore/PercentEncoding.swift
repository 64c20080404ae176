extension String {
    /// Percent-encodes every byte of the UTF-8 that is not unreserved (RFC 3986 §2.3), like AWS's `UriEncode`.
    ///
    /// Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
    ///
    /// - Parameter keepingSlashes: for keys, whose slashes are not encoded in paths.
    func uriEncoded(keepingSlashes: Bool = false) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let bytes = utf8.flatMap { byte -> [UInt8] in
            if byte.isUnreserved || keepingSlashes && byte == UInt8(ascii: "/") { return [byte] }
            return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0f)]]
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isUnreserved: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._~".utf8.contains(self)
        }
    }
}
