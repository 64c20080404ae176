import Foundation
import InAppPurchase
import Testing

/// The set of environments is open, and only the known ones are accepted.
@Suite struct EnvironmentTests {
    private typealias Environment = InAppPurchase.Environment

    @Test func `Known environments are read by the name of Apple`() throws {
        #expect(Environment.known.map(\.rawValue) == ["Production", "Sandbox", "Xcode"])
        for environment in Environment.known {
            #expect(Environment(known: environment.rawValue) == environment)
            let text = try JSONEncoder().encode([environment])
            #expect(String(decoding: text, as: UTF8.self) == #"["\#(environment.rawValue)"]"#)
            #expect(try JSONDecoder().decode([Environment].self, from: text) == [environment])
        }
    }

    @Test(arguments: ["", "production", "Production ", "LocalTesting", "Production\u{0}", "Próduction"])
    func `Unknown environments are refused`(name: String) throws {
        #expect(Environment(known: name) == nil && !Environment.known.contains(Environment(rawValue: name)))
        let text = try JSONEncoder().encode([name])
        #expect(throws: DecodingError.self) { try JSONDecoder().decode([Environment].self, from: text) }
    }
}
