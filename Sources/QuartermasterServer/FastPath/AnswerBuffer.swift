import Foundation
import NIOCore

/// Joins the parts of responses in a buffer whose storage is reused: the socket has usually accepted one response
/// before the next is made. To be used on one event loop only.
final class AnswerBuffer {
    private var buffer = ByteBuffer()

    /// The response's head, with its body unless that is separate.
    func bytes(of answer: FastAnswer) -> ByteBuffer {
        buffer.clear(minimumCapacity: answer.joinedBytes)
        answer.head.write(to: &buffer, answer.id, at: .now)
        if let body = answer.joinedBody { buffer.writeImmutableBuffer(body) }
        return buffer
    }
}
