import Hummingbird
import NIOCore

/// A body passed its limit.
struct BodyTooLarge: Error {
    /// What was read of it.
    var beginning: ByteBuffer
}
