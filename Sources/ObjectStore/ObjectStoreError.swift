/// An error of an object store or of a request to it. Contains nothing that was sent, and nothing secret.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// The object exists already, or has changed.
    case preconditionFailed
    /// The object store refuses, and a retry would not help: a wrong key, no permission, no such bucket.
    case refused(status: Int, code: String?)
    /// No response, or one that asks to try again, after several attempts.
    case unavailable(String)
    /// The object, or the listing, exceeds the limit.
    case tooLarge(limit: Int)
    /// The response is not one of S3.
    case malformed(String)
    /// The file that is sent has changed, or cannot be read.
    case file(String)
}

extension ObjectStoreError: CustomStringConvertible {
    /// One line.
    package var description: String {
        switch self {
        case .preconditionFailed: "the object was written by somebody else"
        case .refused(let status, let code): "the object store refuses: \(status)\(code.map { " \($0)" } ?? "")"
        case .unavailable(let detail): "the object store does not answer: \(detail)"
        case .tooLarge(let limit): "the object is larger than \(limit) bytes"
        case .malformed(let detail): "the object store's answer is not understood: \(detail)"
        case .file(let detail): detail
        }
    }
}
