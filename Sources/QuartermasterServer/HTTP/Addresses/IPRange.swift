/// Addresses with a common prefix, written as in RFC 4632 §3.1 and RFC 4291 §2.3 (`10.0.0.0/8`, `fd00::/8`), or a
/// single address.
struct IPRange: Hashable, Sendable {
    private let network: IPAddress
    private let prefix: Int

    /// Reads a range; `nil` if the text is none, or if bits are set after the prefix, since one of the two is a mistake
    /// then.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let isWrittenAsIPv4 = !first.contains(":")
        let bits = isWrittenAsIPv4 ? IPAddress.bits - IPAddress.mappedPrefix : IPAddress.bits
        guard let length = parts.count == 1 ? bits : Self.decimal(parts[1]), length <= bits else { return nil }
        network = address
        prefix = length + IPAddress.bits - bits
        guard address.network(prefix) == address else { return nil }
    }

    func contains(_ address: IPAddress) -> Bool { address.network(prefix) == network }

    private static func decimal(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 } ? Int(text) : nil
    }
}
