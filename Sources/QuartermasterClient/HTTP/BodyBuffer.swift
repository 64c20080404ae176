import Foundation

/// A body in memory, up to a limit.
///
/// `@unchecked Sendable`: the exchange alone writes `bytes`, one call after the other, and it has ended when they are
/// read.
final class BodyBuffer: ResponseSink, @unchecked Sendable {
    private let maximumBytes: Int
    private var bytes = Data()

    init(maximumBytes: Int) {
        self.maximumBytes = maximumBytes
    }

    var content: Data { bytes }

    func begin(_ head: HTTPHead) {}

    func append(_ more: Data) throws {
        guard more.count <= maximumBytes - bytes.count else { throw ConnectionError.tooLarge }
        bytes.append(more)
    }
}
