/// The value of `Host` and of `:authority`: `uri-host [":" port]` (RFC 9110 §7.2, RFC 3986 §3.2.2).
enum HostField {
    /// Whether the value names a host: not empty, of characters that names and addresses have, with or without a port.
    static func isValid(_ value: some StringProtocol) -> Bool {
        let bytes = Array(value.utf8)
        guard bytes.first == UInt8(ascii: "[") else {
            let name = bytes.prefix { $0 != UInt8(ascii: ":") }
            return isName(name) && isPortOrNothing(bytes[name.endIndex...])
        }
        guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
        let address = String(decoding: bytes[1..<end], as: UTF8.self)
        return address.contains(":") && IPAddress(address) != nil && isPortOrNothing(bytes[(end + 1)...])
    }

    /// Whether the bytes are a `reg-name`, as IPv4 addresses are too, and not empty.
    private static func isName(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "%"):
                guard let high = rest.popFirst(), let low = rest.popFirst(), high.isHexDigit, low.isHexDigit else {
                    return false
                }
            case _ where byte.isNameByte: break
            default: return false
            }
        }
        return !bytes.isEmpty
    }

    private static func isPortOrNothing(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard let first = bytes.first else { return true }
        let digits = bytes.dropFirst()
        guard first == UInt8(ascii: ":"), digits.allSatisfy(\.isDigit) else { return false }
        return digits.isEmpty || UInt16(String(decoding: digits, as: UTF8.self)) != nil
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

    fileprivate var isHexDigit: Bool { isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self | 0x20) }

    /// `unreserved` and `sub-delims` of RFC 3986 §2.
    fileprivate var isNameByte: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: Self.nameMarks.contains(self)
        }
    }

    private static let nameMarks = Set("-._~!$&'()*+,;=".utf8)
}
