/// An object store did not do what it was asked to. Holds nothing of what was sent, and nothing that is secret.
package enum ObjectStoreError: Error, Hashable, Sendable {
    /// The object is there already, or is another one by now.
    case preconditionFailed
    /// The store refuses, and would again: a wrong key, no right to it, no such bucket.
    case refused(status: Int, code: String?)
    /// No answer, or one that asks to come again; it was asked several times.
    case unavailable(String)
    /// The object has more bytes than one reads.
    case tooLarge(limit: Int)
    /// The answer is not one of S3.
    case malformed(String)
    /// The file that is sent is another one than before, or cannot be read.
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
