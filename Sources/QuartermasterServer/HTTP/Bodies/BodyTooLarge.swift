import Hummingbird
import NIOCore

/// A request body that exceeds its limit.
struct BodyTooLarge: Error {
    /// The bytes that were read before the limit.
    var beginning: ByteBuffer
}
