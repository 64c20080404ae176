package import NIOCore

/// A response that is built without any I/O other than sending it.
package struct FastAnswer {
    package enum Body {
        case none
        case bytes(ByteBuffer)
        /// A region of the open file, with a descriptor of its own.
        case file(FileRegion, of: any SentFile)
    }

    /// In bytes. A body of up to this size is copied after its head, into one buffer: copying it takes less time than
    /// sending two.
    static let maximumJoinedBytes = 64 << 10

    package let head: AnswerHead
    package let id: RequestIDs.ID
    package let body: Body

    package init(head: AnswerHead, id: RequestIDs.ID, body: Body) {
        self.head = head
        self.id = id
        self.body = body
    }

    /// The size of the body, without the head.
    package var bodyBytes: Int {
        switch body {
        case .none: 0
        case .bytes(let bytes): bytes.readableBytes
        case .file(let region, _): region.readableBytes
        }
    }

    /// The file that the body is a part of, if it is sent without a copy.
    package var file: (any SentFile)? {
        guard case .file(_, let file) = body else { return nil }
        return file
    }

    /// The size of the head and ``joinedBody``.
    var joinedBytes: Int { head.byteCount + (joinedBody?.readableBytes ?? 0) }

    /// The body, if it is sent in one buffer with the head.
    var joinedBody: ByteBuffer? {
        guard case .bytes(let bytes) = body, bytes.readableBytes <= Self.maximumJoinedBytes else { return nil }
        return bytes
    }

    /// The body, if it is sent after the head.
    var separateBody: IOData? {
        switch body {
        case .none: nil
        case .bytes(let bytes): bytes.readableBytes > Self.maximumJoinedBytes ? .byteBuffer(bytes) : nil
        case .file(let region, _): .fileRegion(region)
        }
    }
}

/// A file that is being sent.
package protocol SentFile: AnyObject, Sendable {
    /// Whether its bytes are still those that the response announces; asked while it is sent, and must be cheap.
    var isUnchanged: Bool { get }
}

extension FileRegion {
    package func close() { try? fileHandle.close() }
}
