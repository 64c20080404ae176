import NIOCore

/// An answer that needs nobody to be asked.
struct FastAnswer {
    enum Body {
        case none
        case bytes(ByteBuffer)
        case file(FileRegion)
    }

    let head: AnswerHead
    let body: Body

    /// What the client has to take, without the head.
    var bodyBytes: Int {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.readableBytes
        case .file(let region): region.readableBytes
        }
    }
}
