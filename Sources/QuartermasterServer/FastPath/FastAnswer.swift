import NIOCore

/// A response that is built without any I/O other than sending it.
struct FastAnswer {
    enum Body {
        case none
        case bytes(ByteBuffer)
        case file(FileRegion)
    }

    let head: AnswerHead
    let body: Body

    /// The size of the body, without the head.
    var bodyBytes: Int {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.readableBytes
        case .file(let region): region.readableBytes
        }
    }
}
