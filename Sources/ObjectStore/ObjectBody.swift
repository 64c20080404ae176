import AsyncHTTPClient
import Basics
import Crypto
package import Foundation
import NIOCore

/// The body of an object to be written.
package struct ObjectBody: Sendable {
    private enum Source: Sendable {
        case bytes(Data)
        case file(FileBody)
    }

    private let source: Source
    let sha256: String
    let size: Int

    private init(_ source: Source, sha256: String, size: Int) {
        self.source = source
        self.sha256 = sha256
        self.size = size
    }

    package static func bytes(_ bytes: Data) -> ObjectBody {
        ObjectBody(.bytes(bytes), sha256: SHA256.hash(data: bytes).hex, size: bytes.count)
    }

    /// A file, streamed while it is sent; never whole in memory.
    ///
    /// - Parameters:
    ///   - size: in bytes.
    ///   - sha256: the expected hash; if the file has another one, nothing is written.
    ///   - progress: called with the bytes of each chunk that is sent, from any thread; from the beginning again with
    ///     each attempt.
    package static func file(
        _ path: String, size: Int, sha256: String, progress: @escaping @Sendable (Int) -> Void = { _ in }
    ) -> ObjectBody {
        let body = FileBody(path: path, size: size, sha256: sha256, progress: progress)
        return ObjectBody(.file(body), sha256: sha256, size: size)
    }

    /// `false` if the body is empty and its hash another one: no chunk is sent then that could be checked.
    var isOfItsHash: Bool { size > 0 || sha256 == SHA256().finalize().hex }

    var content: HTTPClientRequest.Body? {
        switch source {
        case .bytes(let bytes): bytes.isEmpty ? nil : .bytes(ByteBuffer(bytes: bytes))
        case .file(let body): .stream(body, length: .known(Int64(size)))
        }
    }
}
