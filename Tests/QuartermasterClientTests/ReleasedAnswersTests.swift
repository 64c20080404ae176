import Foundation
import Testing

@testable import QuartermasterClient

/// The answers of the server's releases, in `Tests/Fixtures/Answers`. An app in the field meets servers that are older
/// and newer than it: each answer is read, whatever else is in it, and no member that is read is renamed.
@Suite struct ReleasedAnswersTests {
    private static let project = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    private static func releases(in folder: String, _ ending: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: project.appending(path: folder).path)
            .filter { $0.hasSuffix(ending) }.map { String($0.dropLast(ending.count)) }.sorted()
    }

    private static func answers(of release: String) throws -> [String: JSONValue] {
        let file = project.appending(path: "Tests/Fixtures/Answers/\(release).json")
        return try JSONDecoder().decode([String: JSONValue].self, from: Data(contentsOf: file))
    }

    /// The types that answers are decoded as, by operation and status. Every other answer is a problem.
    private static var types: [String: any Decodable.Type] {
        [
            "createAccount.201": SessionAnswer.self, "createSession.201": SessionAnswer.self,
            "getEntitlements.200": SignedEntitlements.self, "getManifest.200": ManifestAnswer.self,
            "getReceipt.200": ReceiptAnswer.self, "listBundles.200": BundleList.self, "listKeys.200": KeyList.self,
            "listProducts.200": ProductList.self, "restorePurchases.200": EntitlementsAnswer.self,
            "sendReceipt.200": ReceiptAnswer.self, "sendReceipt.202": ReceiptAnswer.self,
            "spendCredits.200": SpendAnswer.self,
        ]
    }

    /// Answers whose status says everything.
    private static let unread: Set = ["confirmDelivery.200"]

    /// A text of all that the client reads in an answer; `nil` if it cannot read it.
    private static func read(_ name: String, _ answer: JSONValue) throws -> String? {
        if unread.contains(name) { return "" }
        let type: any Decodable.Type = types[name] ?? ServerProblem.self
        // What is signed has the entitlements under the same names.
        let bytes = try JSONEncoder().encode(type == SignedEntitlements.self ? answer.asSigned : answer)
        guard let value = try? JSONDecoder().decode(type, from: bytes) else { return nil }
        // Sorted, because the members of dictionaries have no order.
        return String(String(describing: value).sorted())
    }

    @Test func `Every release has a file of its answers`() throws {
        let releases = try Self.releases(in: "docs/openapi", ".yaml")
        #expect(!releases.isEmpty)
        #expect(try Self.releases(in: "Tests/Fixtures/Answers", ".json") == releases)
    }

    @Test func `Every released answer is read, and unknown members in it change nothing`() throws {
        for release in try Self.releases(in: "Tests/Fixtures/Answers", ".json") {
            let answers = try Self.answers(of: release)
            #expect(answers.count > 20)
            for (name, answer) in answers {
                let read = try Self.read(name, answer)
                #expect(read != nil, "\(release) \(name)")
                #expect(try Self.read(name, answer.withUnknownMembers) == read, "\(release) \(name)")
            }
        }
    }

    /// The members of 0.1.0's answers without which the client would read something else, so that no name of one can be
    /// changed here or there unnoticed.
    private static let members: [String: String] = [
        "confirmDelivery.200": "", "confirmDelivery.422": "code detail status",
        "createAccount.201": "accessToken account recoveryCode", "createSession.201": "accessToken account",
        "createSession.401": "code status", "downloadContent.403": "code status",
        "getEntitlements.200": """
        account at balances balances.hints entitlements entitlements.access entitlements.app entitlements.bundles \
        entitlements.environment entitlements.product entitlements.reason entitlements.type entitlements.until
        """,
        "getManifest.200": """
        delivery files files.patches files.patches.encoding files.patches.from files.patches.sha256 files.patches.size \
        files.patches.url files.sha256 files.url fresh signed
        """,
        "getManifest.403.not_entitled": "code reason status",
        "getReceipt.200": """
        receipt status transactions transactions.finish transactions.id transactions.outcome transactions.product
        """,
        "listBundles.200": "bundles bundles.bundle bundles.version bundles.versions",
        "listKeys.200": "keys keys.crv keys.kid keys.kty keys.purpose keys.x",
        "listProducts.200": """
        products products.bundles products.id products.metadata products.metadata.icon products.metadata.ranks products.type
        """,
        "listProducts.404.unknown_app": "code status",
        "restorePurchases.200": "receipts receipts.remedy receipts.status",
        "sendReceipt.200": """
        receipt status transactions transactions.finish transactions.id transactions.outcome transactions.product
        """,
        "sendReceipt.202": "receipt status", "sendReceipt.409": "code reason receipt remedy status",
        "sendReceipt.422": "code reason receipt status", "spendCredits.200": "balance",
        "spendCredits.409": "code detail status",
    ]

    @Test func `The members that the client reads keep their names`() throws {
        let answers = try Self.answers(of: "0.1.0")
        #expect(Set(answers.keys) == Set(Self.members.keys))
        for (name, answer) in answers {
            let whole = try Self.read(name, answer)
            let read = try answer.paths.filter { try Self.read(name, answer.without($0[...])) != whole }
            let names = read.map { $0.joined(separator: ".") }.sorted().joined(separator: " ")
            #expect(names == Self.members[name], "\(name)")
        }
    }
}

extension JSONValue {
    /// The entitlements of an answer as the server signs them.
    fileprivate var asSigned: JSONValue {
        guard case .object(let members) = self else { return self }
        let more: [String: JSONValue] = [
            "bundleID": .string("a"), "environment": .string("Production"),
            "freshUntil": .string("2099-01-01T00:00:00Z"),
        ]
        return .object(members.merging(more) { first, _ in first })
    }

    /// Members whose own members are no names of the interface.
    private static let maps: Set = ["balances", "metadata", "startingCredits"]

    /// The members at every depth; those of an array are the members of its elements.
    fileprivate var paths: Set<[String]> {
        switch self {
        case .object(let members):
            members.reduce(into: []) { paths, member in
                paths.insert([member.key])
                paths.formUnion(member.value.paths.map { [member.key] + $0 })
            }
        case .array(let elements): elements.reduce(into: []) { $0.formUnion($1.paths) }
        case .null, .bool, .number, .string: []
        }
    }

    fileprivate func without(_ path: ArraySlice<String>) -> JSONValue {
        switch self {
        case .object(var members):
            guard let name = path.first else { return self }
            members[name] = path.count > 1 ? members[name]?.without(path.dropFirst()) : nil
            return .object(members)
        case .array(let elements): return .array(elements.map { $0.without(path) })
        case .null, .bool, .number, .string: return self
        }
    }

    fileprivate var withUnknownMembers: JSONValue {
        switch self {
        case .object(let members):
            var more = members
            for (name, value) in members where !Self.maps.contains(name) { more[name] = value.withUnknownMembers }
            more["unheardOf"] = .object(["a": .array([.number(1)])])
            return .object(more)
        case .array(let elements): return .array(elements.map(\.withUnknownMembers))
        case .null, .bool, .number, .string: return self
        }
    }
}
