package import Foundation

/// The identifier of a device that goes into the SHA-1 hash of an app receipt (Apple, "Validating receipts on the
/// device").
package struct DeviceIdentifier: Decodable, Sendable {
    /// The lengths in bytes of a UUID and of a MAC address.
    static let lengths: Set<Int> = [16, 6]

    /// The 16 bytes of `identifierForVendor`, or the 6 of a Mac's primary MAC address.
    package let bytes: Data

    /// Reads a UUID in its usual form, or base64 of the bytes.
    ///
    /// - Throws: `DecodingError` for anything else.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bytes = UUID(uuidString: text)?.data ?? Data(base64Encoded: text), Self.lengths.contains(bytes.count)
        else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "neither a UUID nor base64 of 6 or 16 bytes")
        }
        self.bytes = bytes
    }
}

extension UUID {
    fileprivate var data: Data { withUnsafeBytes(of: uuid) { Data($0) } }
}
