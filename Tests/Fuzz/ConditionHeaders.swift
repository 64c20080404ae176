import Content
import Foundation

@testable import ServerCore

/// The conditional headers of a download, a line each: If-Match, If-None-Match, If-Range and Range, after a line with
/// the size of the file.
struct ConditionHeaders: FuzzTarget {
    func test(_ input: Data) {
        var lines = String(decoding: input, as: UTF8.self)
            .split(separator: "\n", maxSplits: 4, omittingEmptySubsequences: false).map { Optional(String($0)) }
        lines += Array(repeating: nil, count: 5 - lines.count)
        guard let size = lines[0].flatMap({ Int($0) }), size >= 0 else { return }
        let conditions = Preconditions(ifMatch: lines[1], ifNoneMatch: lines[2], ifRange: lines[3], range: lines[4])
        for method in ["GET", "HEAD"] {
            switch conditions.outcome(method: method, etag: "abc", size: size) {
            case .part(let first, let last):
                precondition(method == "GET" && first >= 0 && first <= last && last < size, "not in the file")
            case .rangeNotSatisfiable: precondition(method == "GET", "ranges are for GET")
            case .notModified: precondition(lines[2] != nil, "nothing asked whether it is modified")
            case .preconditionFailed: precondition(lines[1] != nil, "nothing was required")
            case .whole: break
            }
        }
    }
}
