import AppStore
import Configuration
import Foundation
import InAppPurchase
import Logging
import ServerTestSupport
import TestSupport
import Testing

@testable import CommandLine
@testable import QuartermasterServer
@testable import ServerCore
@testable import ServerHTTP

/// The sources of settings, and what is reported of a wrong one. One at a time, since they share the name of a file.
@Suite(.serialized) struct SettingsTests {
    @Test func `A flag overrides a variable, which overrides the file and the default`() async throws {
        let file =
            "{\"port\": 3, \"host\": \"file\", \"simulatorPort\": 3, \"verifyReceipt\": {\"sandbox\": \"http://file\"}}"
        let variables = [
            "QUARTERMASTER_PORT": "2", "QUARTERMASTER_SIMULATOR_PORT": "2", "QUARTERMASTER_HOST": "variable",
        ]
        let all = try await Settings.read(flags: ["port": .int(1), "host": .string("flag")], variables, file: file)
        #expect(all.port == 1 && all.host == "flag" && all.simulatorPort == 2)
        #expect(all.appStore.verifyReceipt.sandbox == "http://file")
        #expect(all.appStore.verifyReceipt.production == "https://buy.itunes.apple.com/verifyReceipt")
        let two = try await Settings.read(variables, file: file)
        #expect(two.port == 2 && two.host == "variable")
        let one = try await Settings.read(file: file)
        #expect(one.port == 3 && one.host == "file" && one.simulatorPort == 3)
        let none = try await Settings.read(file: "{}")
        #expect(none.port == 8080 && none.host == "127.0.0.1" && none.simulatorPort == 8090)
        #expect((none.database, none.products, none.content) == ("quartermaster.sqlite", "products.json", "content"))
        #expect(!none.simulator && none.trustedProxies == [] && none.appStore.roots == [] && none.testers == [])
        #expect(none.logLevel == .info && none.logFormat == .text && none.provisionalTime == 0)
    }

    @Test func `Settings are read from variables`() async throws {
        let account = UUID()
        let settings = try await Settings.read([
            "QUARTERMASTER_SIMULATOR": "true", "QUARTERMASTER_TRUSTED_PROXIES": "10.0.0.0/8,::1",
            "QUARTERMASTER_DATABASE": "d", "QUARTERMASTER_PRODUCTS": "p", "QUARTERMASTER_CONTENT": "c",
            "QUARTERMASTER_LOG_LEVEL": "debug", "QUARTERMASTER_TESTERS": "\(account),\(account.text)",
            "QUARTERMASTER_ROOT_CERTIFICATES": "a.cer,b.cer", "QUARTERMASTER_VERIFY_RECEIPT_PRODUCTION": "http://x",
            "QUARTERMASTER_APP_RECEIPTS": "local", "QUARTERMASTER_PROVISIONAL_HOURS": "24",
        ])
        #expect(
            settings.simulator && settings.trustedProxies == [IPRange("10.0.0.0/8"), IPRange("::1")]
                && settings.logLevel == .debug)
        #expect((settings.database, settings.products, settings.content) == ("d", "p", "c"))
        #expect(settings.testers == [AccountID(account)] && settings.appStore.roots == ["a.cer", "b.cer"])
        #expect(settings.appStore.verifyReceipt.production == "http://x" && settings.appStore.appReceipts == .local)
        #expect(settings.provisionalTime == 86_400)
    }

    @Test func `The two files of TLS are read from any source`() async throws {
        let flags: [String: ConfigContent] = ["tls.certificate": .string("c"), "tls.privateKey": .string("k")]
        let variables = ["QUARTERMASTER_TLS_CERTIFICATE": "c", "QUARTERMASTER_TLS_PRIVATE_KEY": "k"]
        let file = "{\"tls\": {\"certificate\": \"c\", \"privateKey\": \"k\"}}"
        let all = [
            try await Settings.read(flags: flags), try await Settings.read(variables),
            try await Settings.read(file: file),
        ]
        for settings in all { #expect(settings.tls?.certificate == "c" && settings.tls?.privateKey == "k") }
        #expect(try await Settings.read().tls == nil)
        try await Self.expectMistake(at: "tls.privateKey: ") {
            try await Settings.read(flags: ["tls.certificate": .string("c")])
        }
        try await Self.expectMistake(at: "tls.certificate: ") {
            try await Settings.read(["QUARTERMASTER_TLS_PRIVATE_KEY": "k"])
        }
        try await Self.expectMistake(at: "tls: ") {
            try await Settings.read(flags: ["simulator": .bool(true)], variables)
        }
        try await Self.expectMistake(at: "tls.key in \(Settings.testPath): there is no such setting") {
            try await Settings.read(file: "{\"tls\": {\"key\": \"k\"}}")
        }
    }

    @Test func `A certificate that is too large is not read in part`() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: path) }
        try Data(repeating: 0x0A, count: TLSFiles.maximumBytes + 1).write(to: path)
        let variables = ["QUARTERMASTER_TLS_CERTIFICATE": path.path, "QUARTERMASTER_TLS_PRIVATE_KEY": path.path]
        let files = try #require(try await Settings.read(variables).tls)
        let error = #expect(throws: SettingError.self) { try files.read() }
        #expect("\(error as Any)".contains("is larger than"))
    }

    @Test func `Each rate limit has numbers, defaults and an off`() async throws {
        let file = """
            {"limits": {"receiptsPerMinute": 7, "receiptBurst": 0, "accountsPerMinute": "off", "adminTokenBurst": 3}}
            """
        let limits = try await Settings.read(["QUARTERMASTER_LIMITS_NOTIFICATION_BURST": "9"], file: file).limits
        #expect(limits[.receipts] == TokenBucketSize(burst: 600, perMinute: 7) && limits[.accounts] == nil)
        #expect(limits[.adminTokens]?.burst == 3 && limits[.notifications]?.burst == 9)
        #expect(limits[.recoveryCodes] == RateLimit.recoveryCodes.standard)
        let none = try await Settings.read().limits
        for limit in RateLimit.allCases { #expect(none[limit] == limit.standard) }
        try await Self.expectMistake(at: "limits.recieptBurst in \(Settings.testPath): there is no such setting") {
            try await Settings.read(file: "{\"limits\": {\"recieptBurst\": 7}}")
        }
    }

    @Test func `Shared secrets belong to an app and come from variables or a file`() async throws {
        let file = """
            {"apps": {"com.example.hangman": {"sharedSecret": "of the file"}, "com.example.go": {"sharedSecret": "go"}}}
            """
        let variables = ["QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_SHARED_SECRET": "of the variable"]
        let both = try await Settings.read(variables, file: file)
        #expect(both.appStore.secrets("com.example.hangman") == "of the variable")
        #expect(both.appStore.secrets("com.example.go") == "go")
        #expect(both.appStore.secrets("com.example.chess") == nil)
        #expect(try await Settings.read(file: file).appStore.secrets("com.example.hangman") == "of the file")
        #expect(try await Settings.read().appStore.secrets("com.example.hangman") == nil)
        let empty = ["QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_SHARED_SECRET": ""]
        #expect(try await Settings.read(empty, file: file).appStore.secrets("com.example.hangman") == nil)
    }

    /// Otherwise it would count as absent, and old receipts would not be asked about.
    @Test(arguments: [
        #"{"apps": {"com.example.go": {"sharedSecret": 7}}}"#: "apps.com.example.go.sharedSecret",
        #"{"apps": {"com.example.go": {"sharedSecret": ["a"]}}}"#: "apps.com.example.go.sharedSecret",
        #"{"apps": {"com.example.go": {"sharedSecret": {"a": "b"}}}}"#: "apps.com.example.go.sharedSecret",
        #"{"apps": {"com.example.go": {"sharedSecret": true}}}"#: "apps.com.example.go.sharedSecret",
        #"{"apps": {"com.example.go": {"privateKeyFile": 7}}}"#: "apps.com.example.go.privateKeyFile",
        #"{"apps": {"com.example.go": {"issuerID": 1.5}}}"#: "apps.com.example.go.issuerID",
    ])
    func `A secret that is no text is refused`(file: String, name: String) async throws {
        try await Self.expectMistake(at: "\(name) in \(Settings.testPath): should be text") {
            try await Settings.read(file: file)
        }
    }

    @Test(arguments: [
        (#"{"apps": "com.example.go"}"#, "apps"),
        (#"{"apps": {"com.example.go": "secret"}}"#, "apps.com.example.go"),
        (#"{"limits": 7}"#, "limits"), (#"{"tls": ["c", "k"]}"#, "tls"),
    ])
    func `A group of settings must be an object`(file: String, name: String) async throws {
        try await Self.expectMistake(at: "\(name) in \(Settings.testPath): should be an object") {
            try await Settings.read(file: file)
        }
    }

    /// Another reader of the file would read something else.
    @Test(arguments: [
        ("{\"port\": 1,\n\"port\": 2}", "port: occurs twice, at byte 12 (line 2, column 1)"),
        ("{\"port\": 1,\n}", "a comma before a closing bracket, at byte 12 (line 2, column 1), after \"port\""),
        ("{\"apps\": {\"a\": {}, \"a\": {}}}", "apps.a: occurs twice"),
        ("{\"port\" 1}", "port: not JSON (RFC 8259), at byte 8"),
    ])
    func `A configuration file that is no strict JSON is refused`(file: String, error: String) async throws {
        try await Self.expectMistake(at: "\(Settings.testPath): \(error)") { try await Settings.read(file: file) }
    }

    /// A misspelt name would silently leave the default in force.
    @Test(arguments: [
        #"{"verifyReceipt": {"sandboxx": "http://x"}}"#: "verifyReceipt.sandboxx",
        #"{"serverAPI": {"prod": "http://x"}}"#: "serverAPI.prod",
        #"{"apps": {"com.example.go": {"sharedSecrets": "s"}}}"#: "apps.com.example.go.sharedSecrets",
        #"{"apps": {"com.example.go": {"xcodeCertificate": ["a"]}}}"#: "apps.com.example.go.xcodeCertificate",
    ])
    func `A misspelt name in a group of settings is refused`(file: String, name: String) async throws {
        try await Self.expectMistake(at: "\(name) in \(Settings.testPath): there is no such setting") {
            try await Settings.read(file: file)
        }
    }

    /// Before, a misspelt name in the environment was ignored.
    @Test(arguments: [
        "QUARTERMASTER_DATABSE": "; did you mean QUARTERMASTER_DATABASE?",
        "QUARTERMASTER_ADMINPAGES": "; did you mean QUARTERMASTER_ADMIN_PAGES?",
        "QUARTERMASTER_LIMITS_RECIEPT_BURST": "; did you mean QUARTERMASTER_LIMITS_RECEIPT_BURST?",
        "QUARTERMASTER_APPS_COM_EXAMPLE_HANGMAN_SECRET":
            "; the variables of an app end in _ISSUER_ID, _KEY_ID, _PRIVATE_KEY_FILE, _SHARED_SECRET, _XCODE_CERTIFICATES",
        "QUARTERMASTER_SHARED_SECRET": "",
        "QUARTERMASTER_": "",
    ])
    func `A misspelt variable is refused, and the nearest name suggested`(name: String, suggestion: String) async throws
    {
        let error = await #expect(throws: SettingError.self) { try await Settings.read([name: "7"]) }
        #expect(error?.description == "\(name): there is no such setting\(suggestion)")
    }

    /// Those of other programs, and those of the project's tests, which a server under test inherits.
    @Test func `Other variables than those of settings are passed over`() async throws {
        let settings = try await Settings.read([
            "QUARTERMASTER_BINARY": "x", "QUARTERMASTER_RECORD": "x", "QUARTERMASTER_CONFIG": "x",
            "quartermaster_port": "x",
            "MY_QUARTERMASTER_PORT": "x", "QUARTERMASTERPORT": "x",
        ])
        #expect(settings.port == 8080)
    }

    /// Every command of this machine means the same server, in whatever folder it is run.
    @Test func `The machine's file is read where the current folder has none`() throws {
        let folder = try LedgerFolder()
        defer { folder.leave() }
        try FileManager.default.createDirectory(atPath: folder.path("var"), withIntermediateDirectories: true)
        let machine = folder.path("machine.json")
        func found(_ name: String? = nil, _ environment: [String: String] = [:]) -> String? {
            SettingSources.file(named: name, environment, in: folder.folder.path, or: machine)
        }
        #expect(found() == nil)
        try Data("{}".utf8).write(to: URL(filePath: machine))
        #expect(found() == machine)
        #expect(found("other.json") == "other.json" && found(nil, ["QUARTERMASTER_CONFIG": ""]) == nil)
        try Data("{}".utf8).write(to: URL(filePath: folder.path("var/quartermaster.json")))
        #expect(found() == "var/quartermaster.json")
        #expect(SettingSources.machineFile == "/etc/quartermaster/settings.json")
    }

    /// The settings of a misspelt app would be read by nobody.
    @Test func `The settings of an app that the catalog does not have are told of`() async throws {
        let variables = ["QUARTERMASTER_APPS_COM_EXAMPLE_HANGMEN_SHARED_SECRET": "hush"]
        let near = ["com.example.hangman", "com.example.chess"]
        #expect("com.example.hangmen".nearest(in: near) == near[0] && "com.example.go".nearest(in: near) == nil)
        let file =
            #"{"apps": {"com.example.hangman": {"sharedSecret": "hush"}, "org.other": {"sharedSecret": "hush"}}}"#
        let settings = try await Settings.read(variables, file: file)
        let catalog = try CatalogFile(
            Data(Project.products.utf8), bundles: ["hard-words", "ios-words", "night-theme"],
            handlers: Server.standardHandlers
        ).catalog
        let items = settings.appStore.unknownApps(in: catalog)
        #expect(items.map(\.item) == ["unknownApp", "unknownApp"] && items.map(\.app) == [nil, nil])
        #expect(items.map(\.mistake) == [variables.keys.first, "apps.org.other in \(Settings.testPath)"])
        #expect(items[0].remedy == "Correct the app's ID: did you mean com.example.hangman?")
        #expect(items[1].remedy == "Correct the app's ID, or add the app to the catalog.")
        #expect(!"\(items)".contains("hush"))
    }

    static let wrongFlags: [(String, ConfigContent, String)] = [
        ("port", .int(65_536), "--port: "), ("port", .int(-1), "--port: "),
        ("simulatorPort", .int(70_000), "--simulator-port: "),
        ("database", .string("mysql://u:hush@h/d"), "database: "),
    ]
    static let wrongVariables = [
        ("PORT", "eighty"), ("PORT", "80.5"), ("PORT", ""), ("PORT", "99999999999999999999"), ("PORT", "70000"),
        ("SIMULATOR_PORT", "x"), ("SIMULATOR", "maybe"), ("HOST", ""), ("LOG_LEVEL", "loud"), ("TESTERS", "me"),
        ("LOG_FORMAT", "xml"),
        ("TRUSTED_PROXIES", "true"), ("TRUSTED_PROXIES", "10.0.0.1/8"), ("APP_RECEIPTS", "apple"),
        ("PROVISIONAL_HOURS", "25"), ("PROVISIONAL_HOURS", "-1"), ("PROVISIONAL_HOURS", "1.5"),
        ("LIMITS_RECEIPTS_PER_MINUTE", "on"), ("SERVER_API_PRODUCTION", "here"),
        ("LIMITS_RECEIPTS_PER_MINUTE", "-1"), ("LIMITS_RECEIPT_BURST", "1000001"), ("LIMITS_RECEIPT_BURST", "off"),
    ]
    static let wrongMembers = [
        ("port", "\"8080\""), ("port", "80.5"), ("port", "70000"), ("host", "7"), ("simulator", "\"yes\""),
        ("testers", "[\"me\"]"), ("testers", "\"me\""), ("logLevel", "7"), ("logLevel", "\"loud\""),
        ("verifyReceipt.sandbox", "7"), ("rootCertificates", "\"one.cer\""), ("trustedProxies", "[\"10.0.0.0/33\"]"),
        ("limits.accountBurst", "\"many\""), ("limits.accountsPerMinute", "1.5"),
        ("provisionalHours", "25"), ("provisionalHours", "\"6\""),
    ]

    @Test func `A wrong value stops the start with a message that names its place`() async throws {
        for (name, value, place) in Self.wrongFlags {
            try await Self.expectMistake(at: place) { try await Settings.read(flags: [name: value]) }
        }
        for (name, value) in Self.wrongVariables.map({ ("QUARTERMASTER_\($0)", $1) }) {
            try await Self.expectMistake(at: "\(name): should be ") { try await Settings.read([name: value]) }
        }
        try await Self.expectMistake(at: "database: ") {
            try await Settings.read(["QUARTERMASTER_DATABASE": "https://u:hush@h/d"])
        }
        for (name, value) in Self.wrongMembers {
            let object = name.split(separator: ".").reversed().reduce(value) { "{\"\($1)\": \($0)}" }
            try await Self.expectMistake(at: "\(name) in \(Settings.testPath): should be ") {
                try await Settings.read(file: object)
            }
        }
        for file in ["", "[]", "{\"port\": ", "\u{0}"] {
            try await Self.expectMistake(at: "\(Settings.testPath): ") { try await Settings.read(file: file) }
        }
        try await Self.expectMistake(at: "/no/such/file.json: ") {
            try Settings(await SettingSources(flags: [:], environment: [:], file: "/no/such/file.json"))
        }
    }

    /// Expects one line that begins with the place and contains no secret.
    private static func expectMistake(at place: String, _ read: () async throws -> Settings) async throws {
        let error = await #expect(throws: SettingError.self, "\(place)") { try await read() }
        let message = error?.description ?? ""
        #expect(message.hasPrefix(place) && !message.contains("\n") && !message.contains("hush"), "\(message)")
    }

    @Test func `A root that is no certificate is reported`() async throws {
        let files = [
            ("/no/such.cer", "/no/such.cer cannot be read"), (Project.folder("products.json"), "no certificate"),
        ]
        for (file, words) in files {
            let error = await #expect(throws: SettingError.self) {
                try await World.run(environment: ["QUARTERMASTER_ROOT_CERTIFICATES": file]) { _ in
                    Issue.record("served")
                }
            }
            #expect(error?.description.contains(words) == true)
        }
    }
}
