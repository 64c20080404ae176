import Foundation
import QuartermasterServer

/// The body of a request, after a line with the name of its kind: what the routes do with it before they act on it.
struct RequestBodyText: FuzzTarget {
    func test(_ input: Data) {
        guard let end = input.firstIndex(of: UInt8(ascii: "\n")) else { return }
        let name = String(decoding: input[..<end], as: UTF8.self)
        guard let kind = RequestBodies.all.first(where: { $0.name == name }) else {
            // Any kind, so that no input is lost.
            for kind in RequestBodies.all { try? kind.read(input) }
            return
        }
        try? kind.read(input[(end + 1)...])
    }
}
