import Foundation

@testable import QuartermasterClient

/// The body of any answer to the client: a server that is newer, broken, or another one must not end the game.
struct ClientAnswer: FuzzTarget {
    func test(_ input: Data) {
        let header = String(decoding: input.prefix(32), as: UTF8.self)
        _ = "\(Problem(HTTPResponse(head: .init(status: 422, headers: ["retry-after": header]), body: input)))"
        for type in Self.answers { _ = try? JSONDecoder().decode(type, from: input) }
        let time = Date(timeIntervalSince1970: 1_800_000_000)
        let entitlements = decoded(EntitlementsAnswer.self, input)?.entitlements ?? []
        for entitlement in entitlements where entitlement.hasAccess(at: time) {
            precondition(entitlement.access == .granted, "access that nobody granted")
            precondition(entitlement.until.map { $0 > time } ?? true, "access that has ended")
        }
        let bundles = decoded(BundleList.self, input)?.bundles ?? []
        let versions = bundles.flatMap(\.versions).compactMap { SemanticVersion($0) }
        for (one, other) in zip(versions, versions.dropFirst()) {
            precondition(!(one < other && other < one), "each is below the other")
        }
    }

    private static var answers: [any Decodable.Type] {
        [
            BundleList.self, EntitlementsAnswer.self, ProductList.self, ReceiptAnswer.self, SessionAnswer.self,
            SpendAnswer.self,
        ]
    }

    private func decoded<Value: Decodable>(_ type: Value.Type, _ input: Data) -> Value? {
        try? JSONDecoder().decode(type, from: input)
    }
}
