/// A content coding of JSON and YAML (RFC 9110 §8.4.1), made as the response is made.
package enum TextCoding: String, CaseIterable, Sendable {
    case zstd
    case gzip
    case identity

    /// The size in bytes up to which a text is sent as it is: one packet has room for it.
    package static let maximumPlainBytes = 1 << 10
    /// The level of zlib's that the `gzip` tool uses.
    private static let gzipLevel: Int32 = 6
    /// The level that the `zstd` tool uses.
    private static let zstdLevel: Int32 = 3

    /// The coding with the highest weight; of equal ones `zstd`, then `gzip`. The identity if none is accepted, since a
    /// text is more useful than a 406.
    ///
    /// - Parameter acceptEncoding: the value of `Accept-Encoding`; `nil` if the request has none.
    package init(acceptEncoding: String?) {
        guard let acceptEncoding else {
            self = .identity
            return
        }
        let accepted = AcceptEncoding(acceptEncoding)
        let weights = Self.allCases.compactMap { coding in
            accepted.weight(of: coding.rawValue).map { (coding: coding, weight: $0) }
        }
        // `max` returns the first of equals.
        self = weights.max { $0.weight < $1.weight }?.coding ?? .identity
    }

    /// The text in this coding.
    package func encode(_ text: UnsafeRawBufferPointer) throws(CodingError) -> [UInt8] {
        switch self {
        case .identity: Array(text)
        case .gzip: try Self.run(GzipEncoder(level: Self.gzipLevel), text)
        case .zstd: try Self.run(ZstdEncoder(level: Self.zstdLevel, size: text.count), text)
        }
    }

    private static func run(_ coder: some ByteCoder, _ text: UnsafeRawBufferPointer) throws(CodingError) -> [UInt8] {
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: CodingRun.chunkBytes, alignment: 1)
        defer { output.deallocate() }
        var (rest, encoded) = (text, [UInt8]())
        while true {
            let step = try coder.step(rest, isLast: true, into: output)
            rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(step.consumed))
            encoded += output.prefix(step.put)
            if step.isComplete { return encoded }
        }
    }
}
