import Foundation

/// A whole answer.
struct HTTPResponse: Sendable {
    let head: HTTPHead
    let body: Data

    var status: Int { head.status }
    var isSuccess: Bool { (200..<300).contains(head.status) }

    subscript(_ name: String) -> String? { head[name] }
}
