import Content
import NIOCore

/// A response that is built without any I/O other than sending it.
struct FastAnswer {
    enum Body {
        case none
        case bytes(ByteBuffer)
        /// A region of the open file, with a descriptor of its own.
        case file(FileRegion, of: OpenContent)
    }

    let head: AnswerHead
    let body: Body

    /// The size of the body, without the head.
    var bodyBytes: Int {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.readableBytes
        case .file(let region, _): region.readableBytes
        }
    }
}
