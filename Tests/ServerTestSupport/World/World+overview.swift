import AdminPages
import Foundation
import HTTPTypes
package import InAppPurchase
import Ledger
import QuartermasterServer
package import ServerCore
import ServerHTTP
import Testing

extension World {
    package func overview() async throws -> JSONValue {
        let answer = try await call(.get, "/admin/v1/overview", as: newAdmin(.read, name: UUID().uuidString))
        #expect(answer.status == 200, "\(answer)")
        return answer.json
    }

    package func alarm(_ kind: Alarm.Kind) async throws -> JSONValue {
        try await overview()["alarms"].array.first { $0["alarm"].text == kind.rawValue } ?? .null
    }

    /// A scrape after the alarms were measured.
    package func measured() async throws -> Scrape {
        let watch = try #require(assembly.services.compactMap { $0 as? OverviewWatch }.first)
        await watch.runOnce()
        return try await scrape()
    }

    /// The level, the number and the age of an alarm, as they are scraped.
    package func scrapeAlarm(_ kind: Alarm.Kind) async throws -> [String?] {
        let scrape = try await measured()
        return ["level", "items", "age_seconds"].map { scrape["quartermaster_alarm_\($0){alarm=\"\(kind.rawValue)\"}"] }
    }
}
