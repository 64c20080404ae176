import HTTPTypes
import InAppPurchase
import ServerTestSupport
import Testing

@testable import CommandLine

/// Routes that are removed with 1.0 answer like those that replace them.
@Suite struct DeprecatedRouteTests {
    @Test func `The deprecated move route answers as the transfer route`() async throws {
        try await World.run { world in
            let (admin, first) = (try await world.newAdmin(), try await world.newPlayer())
            let (second, bought) = (try await world.newPlayer(), try await world.buy("hardwords", "non-consumable"))
            #expect(try await world.post(bought.signedTransaction, as: first).status == 200)
            var answers: [JSONValue] = []
            for path in [
                "lines/Production/\(bought.originalID)/move",
                "original-transactions/Production/\(bought.originalID)/transfer",
            ] {
                let body: JSONValue = ["to": .string(second.account), "reason": "ticket 7"]
                let answer = try await world.call(.post, "/admin/v1/" + path, body, as: admin)
                #expect(answer.status == 200 && answer.json["owner"].text == second.account)
                answers.append(answer.json)
            }
            // The second time, nothing happens.
            #expect(answers.first == answers.last)
        }
    }
}
