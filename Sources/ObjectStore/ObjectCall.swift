import Foundation

/// One request to the store.
struct ObjectCall: Sendable {
    var method: String
    /// Nil for the bucket itself.
    var key: String?
    var query: [(name: String, value: String)] = []
    /// By names in lower case.
    var headers: [(name: String, value: String)] = []
    var body = ObjectBody.bytes(Data())
    /// The statuses of answers that are read.
    var expected: Set<Int> = [200]
    /// How many bytes go to and fro at most.
    var maximumBytes = ObjectClient.maximumErrorBytes

    var time: Duration { ObjectClient.answerTime + .seconds(maximumBytes / ObjectClient.slowestTransfer) }
}
