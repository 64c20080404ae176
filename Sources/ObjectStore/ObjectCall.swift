import Foundation

/// One request to the object store.
struct ObjectCall: Sendable {
    var method: String
    /// The key; `nil` for the bucket itself.
    var key: String?
    var query: [(name: String, value: String)] = []
    /// The headers, with names in lower case.
    var headers: [(name: String, value: String)] = []
    var body = ObjectBody.bytes(Data())
    /// The statuses of responses whose body is read.
    var expected: Set<Int> = [200]
    /// The maximum number of bytes sent and received, from which the timeout is computed.
    var maximumBytes = ObjectClient.maximumErrorBytes

    var time: Duration { ObjectClient.answerTime + .seconds(maximumBytes / ObjectClient.slowestTransfer) }
}
