// swift-tools-version: 6.2

import PackageDescription

/// `WARNINGS_AS_ERRORS=1 swift build` fails on a warning in our own targets; those of dependencies stay warnings.
let warningsAsErrors = Context.environment["WARNINGS_AS_ERRORS"] == "1"

/// The products that targets use, by package. A target names them as it names other targets.
let products = [
    "GRDB.swift": ["GRDB", "GRDBSQLite"],
    "async-http-client": ["AsyncHTTPClient"],
    "hummingbird": ["Hummingbird", "HummingbirdCore", "HummingbirdHTTP2", "HummingbirdTesting"],
    "swift-argument-parser": ["ArgumentParser"],
    "swift-asn1": ["SwiftASN1"],
    "swift-certificates": ["X509"],
    "swift-configuration": ["Configuration"],
    "swift-crypto": ["Crypto", "CryptoExtras"],
    "swift-http-types": ["HTTPTypes"],
    "swift-log": ["Logging"],
    "swift-metrics": ["CoreMetrics"],
    "swift-mustache": ["Mustache"],
    "swift-nio": ["NIOCore", "NIOEmbedded", "NIOFoundationCompat", "NIOHTTP1", "NIOPosix", "NIOTLS"],
    "swift-nio-extras": ["NIOHTTPTypes", "NIOHTTPTypesHTTP1"],
    "swift-nio-http2": ["NIOHPACK", "NIOHTTP2"],
    "swift-nio-ssl": ["NIOSSL"],
    "swift-service-lifecycle": ["ServiceLifecycle", "UnixSignals"],
    "swift-system": ["SystemPackage"],
]
let ledger: [Target.Dependency] = ["Basics", "InAppPurchase", "Ledger", "StrictJSON"]
let databases: [Target.Dependency] = ["LedgerPostgres", "LedgerSQL", "LedgerSQLite"]
let plugins: [Target.Dependency] = [
    "Consumable", "NonConsumable", "NonRenewingSubscription", "AutoRenewableSubscription",
]
/// For tests that run a whole server: its targets, and others that most of these tests use.
let serverWorld: [Target.Dependency] =
    ledger + databases + [
        "AdminPages", "AppStore", "AppStoreService", "AppStoreSimulator", "AuditSeal", "CommandLine", "Content",
        "QuartermasterServer", "ServerCore", "ServerHTTP", "StoreClient", "TestSupport", "AsyncHTTPClient",
        "Configuration", "Crypto", "GRDB", "HTTPTypes", "Hummingbird", "HummingbirdTesting", "Logging", "NIOCore",
        "NIOHTTP1", "NIOPosix", "NIOSSL", "ServiceLifecycle",
    ]
let serverTests = serverWorld + ["ObjectStore", "PostgresSupport", "PrometheusMetrics", "ServerTestSupport"]

#if canImport(Darwin)
    let privacyManifestExclude: [String] = []
    let privacyManifestResources: [Resource] = [.copy("PrivacyInfo.xcprivacy")]
#else
    // Only Apple reads it: elsewhere a program would need a folder of resources beside it.
    let privacyManifestExclude = ["PrivacyInfo.xcprivacy"]
    let privacyManifestResources: [Resource] = []
#endif

let package = Package(
    name: "quartermaster",
    platforms: [.iOS(.v17), .macOS(.v15), .visionOS(.v1)],
    products: [
        .executable(name: "quartermaster", targets: ["quartermaster"]),
        .library(name: "AppStore", targets: ["AppStore", "StoreClient"]),
        .library(name: "InAppPurchase", targets: ["InAppPurchase"]),
        .library(name: "QuartermasterClient", targets: ["QuartermasterClient"]),
        .library(name: "QuartermasterServer", targets: ["QuartermasterServer"]),
        .library(name: "QuartermasterZstd", targets: ["QuartermasterZstd"]),
    ],
    traits: [
        .trait(
            name: "Server",
            description: "The server and its libraries. An app that needs the client alone says traits: []."),
        .default(enabledTraits: ["Server"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-asn1", from: "1.7.0"),
        .package(url: "https://github.com/apple/swift-certificates", from: "1.21.0"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.0"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.45.0"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.0"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.0"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .target(name: "CDescriptions"),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CZstd", pkgConfig: "libzstd", providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]),
        .target(
            name: "QuartermasterClient",
            dependencies: [.product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))],
            exclude: privacyManifestExclude, resources: privacyManifestResources),
        .target(name: "QuartermasterZstd", dependencies: ["QuartermasterClient", "CZstd"]),
        .target(name: "Basics"),
        .target(name: "StrictJSON"),
        .target(name: "InAppPurchase", dependencies: ["Basics", "StrictJSON"]),
        .target(name: "Ledger", dependencies: ["InAppPurchase", "Basics"]),
        .target(name: "Consumable", dependencies: ["InAppPurchase"], path: "Plugins/Consumable"),
        .target(name: "NonConsumable", dependencies: ["InAppPurchase"], path: "Plugins/NonConsumable"),
        .target(
            name: "NonRenewingSubscription", dependencies: ["InAppPurchase"], path: "Plugins/NonRenewingSubscription"),
        .target(
            name: "AutoRenewableSubscription", dependencies: ["InAppPurchase"],
            path: "Plugins/AutoRenewableSubscription"),
        .target(
            name: "StoreClient", dependencies: ["InAppPurchase", "Basics", "AsyncHTTPClient", "NIOCore", "NIOHTTP1"]),
        .target(
            name: "AppStore",
            dependencies: [
                "InAppPurchase", "Basics", "StoreClient", "StrictJSON", "AsyncHTTPClient", "Crypto", "CryptoExtras",
                "NIOCore", "NIOFoundationCompat", "NIOHTTP1", "SwiftASN1", "X509",
            ]),
        .target(
            name: "AppStoreSimulator",
            dependencies: [
                "InAppPurchase", "Basics", "CDescriptions", "StrictJSON", "AsyncHTTPClient", "Crypto", "CryptoExtras",
                "HTTPTypes",
                "Hummingbird", "HummingbirdCore", "Logging", "NIOCore", "NIOHTTP1", "NIOHTTPTypes", "ServiceLifecycle",
                "SwiftASN1", "X509",
            ]),
        .target(name: "LedgerPostgres", dependencies: ledger + ["CPostgres", "LedgerSQL", "Crypto"]),
        .target(name: "LedgerSQL", dependencies: ledger + ["CZlib", "Crypto"]),
        .target(name: "LedgerSQLite", dependencies: ledger + ["CSQLite", "LedgerSQL", "GRDB", "GRDBSQLite"]),
        .target(
            name: "ObjectStore",
            dependencies: [
                "Basics", "StrictJSON", "AsyncHTTPClient", "Crypto", "NIOCore", "NIOHTTP1", "NIOPosix",
                "SystemPackage",
            ]),
        .target(
            name: "Content", dependencies: ledger + ["CZlib", "CZstd", "ObjectStore", "Crypto", "SystemPackage"]),
        .target(name: "AuditSeal", dependencies: ledger + ["Crypto"]),
        .target(name: "PrometheusMetrics", dependencies: ["CoreMetrics"]),
        .target(
            name: "ServerHTTP",
            dependencies: [
                "Basics", "InAppPurchase", "PrometheusMetrics", "StrictJSON", "CoreMetrics", "Crypto", "HTTPTypes",
                "Hummingbird",
                "HummingbirdCore", "HummingbirdHTTP2", "Logging", "NIOCore", "NIOFoundationCompat", "NIOHTTP1",
                "NIOHTTP2", "NIOHTTPTypes", "NIOHTTPTypesHTTP1", "NIOPosix", "NIOSSL", "NIOTLS", "ServiceLifecycle",
            ]),
        .target(
            name: "ServerCore",
            dependencies: ledger + databases + [
                "AppStore", "AuditSeal", "CDescriptions", "Content", "ObjectStore", "PrometheusMetrics", "ServerHTTP",
                "StoreClient", "AsyncHTTPClient", "Configuration", "CoreMetrics", "Crypto", "HTTPTypes", "Hummingbird",
                "Logging", "NIOCore", "NIOFoundationCompat", "NIOHTTP1", "NIOPosix",
                "ServiceLifecycle", "SystemPackage", "UnixSignals",
            ]),
        .target(
            name: "AppStoreService",
            dependencies: ledger + [
                "AppStore", "AppStoreSimulator", "ServerCore", "ServerHTTP", "StoreClient", "AsyncHTTPClient", "Crypto",
                "Hummingbird", "Logging", "NIOCore", "NIOFoundationCompat", "NIOSSL", "ServiceLifecycle",
            ]),
        .target(
            name: "AdminPages",
            dependencies: ledger + [
                "Content", "ServerCore", "ServerHTTP", "Crypto", "HTTPTypes", "Hummingbird",
                "Logging", "Mustache", "NIOCore", "NIOFoundationCompat", "NIOPosix",
            ]),
        .target(
            name: "CommandLine",
            dependencies: ledger + databases + [
                "AppStoreSimulator", "AuditSeal", "Content", "ServerCore", "ServerHTTP", "ArgumentParser",
                "AsyncHTTPClient", "Configuration", "Hummingbird", "Logging", "NIOCore", "NIOHTTP1", "NIOSSL",
                "ServiceLifecycle", "SystemPackage",
            ]),
        .target(
            name: "QuartermasterServer",
            dependencies: plugins + ledger + [
                "AdminPages", "AppStoreService", "AppStoreSimulator", "AuditSeal", "CommandLine", "Content",
                "ServerCore", "ServerHTTP", "ArgumentParser", "Hummingbird", "Logging", "NIOCore", "ServiceLifecycle",
            ]),
        .executableTarget(name: "quartermaster", dependencies: ["QuartermasterServer"]),
        .target(name: "HangmanGame", path: "examples/Hangman/Game"),
        .executableTarget(
            name: "hangman",
            dependencies: [
                "HangmanGame", "QuartermasterClient", "ArgumentParser", "AsyncHTTPClient", "NIOCore", "NIOHTTP1",
                "NIOPosix",
                .target(name: "QuartermasterZstd", condition: .when(platforms: [.linux])),
            ],
            path: "examples/Hangman/Program"),
        .testTarget(name: "HangmanGameTests", dependencies: ["HangmanGame", "TestSupport"]),
        .target(name: "HangmanAppModel", dependencies: ["QuartermasterClient"], path: "examples/HangmanApp/Model"),
        .testTarget(name: "HangmanAppTests", dependencies: ["HangmanAppModel", "QuartermasterClient"]),
        .target(name: "FreeSubscription", dependencies: ["InAppPurchase"], path: "Tests/FreeSubscription"),
        .testTarget(name: "FreeSubscriptionTests", dependencies: ["InAppPurchase", "FreeSubscription"]),
        .target(name: "TestSupport", dependencies: ledger, path: "Tests/TestSupport"),
        .testTarget(name: "BasicsTests", dependencies: ["InAppPurchase", "Basics", "TestSupport"]),
        .testTarget(name: "StrictJSONTests", dependencies: ["Basics", "InAppPurchase", "StrictJSON", "TestSupport"]),
        .testTarget(name: "InAppPurchaseTests", dependencies: plugins + ledger + ["TestSupport"]),
        .testTarget(name: "PluginTests", dependencies: plugins + ledger + ["TestSupport"]),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                "InAppPurchase", "AppStore", "AppStoreSimulator", "Basics", "StoreClient", "StrictJSON", "TestSupport",
                "AsyncHTTPClient", "Crypto", "CryptoExtras", "Hummingbird", "Logging", "SwiftASN1", "X509",
            ]),
        .testTarget(
            name: "AppStoreSimulatorTests",
            dependencies: [
                "Basics", "InAppPurchase", "AppStore", "AppStoreSimulator", "TestSupport", "Crypto", "HTTPTypes",
                "Hummingbird", "HummingbirdTesting", "NIOCore", "SwiftASN1", "X509",
            ]),
        .testTarget(
            name: "LedgerTests",
            dependencies: plugins + ledger + databases + ["PostgresSupport", "TestSupport", "Crypto", "GRDB"]),
        .target(
            name: "PostgresSupport", dependencies: ledger + ["LedgerPostgres", "LedgerSQL"],
            path: "Tests/PostgresSupport"),
        .testTarget(
            name: "LedgerPostgresTests",
            dependencies: ledger + ["LedgerPostgres", "LedgerSQL", "PostgresSupport", "TestSupport"]),
        .testTarget(
            name: "AuditSealTests",
            dependencies: plugins + ledger + [
                "AuditSeal", "LedgerSQL", "LedgerSQLite", "TestSupport", "Crypto", "GRDB",
            ]),
        .testTarget(
            name: "QuartermasterClientTests",
            dependencies: [
                "CZstd", "QuartermasterClient", "QuartermasterZstd", "TestSupport", "AsyncHTTPClient", "Crypto",
                "NIOCore", "NIOHTTP1", "NIOPosix",
            ]),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "Basics", "InAppPurchase", "ObjectStore", "TestSupport", "AsyncHTTPClient", "Crypto", "NIOCore",
                "NIOHTTP1",
            ]),
        .testTarget(
            name: "ContentTests",
            dependencies: ledger + [
                "Content", "LedgerSQL", "LedgerSQLite", "ObjectStore", "TestSupport", "AsyncHTTPClient", "Crypto",
                "NIOCore", "NIOHTTP1", "SystemPackage",
            ]),
        .testTarget(name: "PrometheusMetricsTests", dependencies: ["PrometheusMetrics", "TestSupport", "CoreMetrics"]),
        .target(
            name: "ServerTestSupport",
            dependencies: serverWorld + ["CryptoExtras", "NIOHPACK", "PrometheusMetrics", "SwiftASN1", "X509"],
            path: "Tests/ServerTestSupport"),
        .testTarget(
            name: "ServerHTTPTests",
            dependencies: serverTests + [
                "NIOEmbedded", "NIOHPACK", "NIOHTTPTypes", "NIOTLS",
            ]),
        .testTarget(
            name: "ServerCoreTests",
            dependencies: serverTests + [
                "FreeSubscription", "HummingbirdCore", "NIOEmbedded", "NIOFoundationCompat", "SwiftASN1",
                "SystemPackage", "X509",
            ]),
        .testTarget(name: "AppStoreServiceTests", dependencies: serverTests),
        .testTarget(name: "AdminPageTests", dependencies: serverTests),
        .testTarget(name: "CommandTests", dependencies: serverTests),
        .testTarget(name: "QuartermasterServerTests", dependencies: serverTests + ["CoreMetrics", "NIOEmbedded"]),
    ]
)

/// `make bench-verification`, `make check-guide` and `make check-tools` set it. Nothing else needs these programs, and
/// linking them takes time in every build of the tests.
let tools = Context.environment["DEVELOPMENT_TOOLS"]
let buildsTools = tools == "1" || tools == "all"
if buildsTools {
    package.targets += [
        .executableTarget(
            name: "verification-bench", dependencies: ["InAppPurchase", "AppStore", "ArgumentParser"],
            path: "Tests/VerificationBench"),
        .executableTarget(
            name: "gazette", dependencies: ["FreeSubscription", "QuartermasterServer"],
            path: "Tests/FreeSubscriptionServer", exclude: ["products.json"]),
    ]
}

/// `make fuzz` sets it: libFuzzer brings the program's `main`, so that no ordinary build can link this. `make check-tools`
/// compiles it only, with all tools; to test with them, as `make check-guide` does, would link it.
let isFuzzing = Context.environment["FUZZ"] == "1"
if isFuzzing || tools == "all" {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "InAppPurchase", "AppStore", "Basics", "Content", "LedgerSQLite", "QuartermasterClient",
                "QuartermasterServer", "ServerCore", "ServerHTTP", "StrictJSON", "Crypto", "HTTPTypes", "Logging",
                "NIOCore", "NIOEmbedded", "NIOHTTPTypes", "NIOHTTPTypesHTTP1",
            ],
            path: "Tests/Fuzz", linkerSettings: isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []))
}

/// `make test ONLY='TARGET …'` sets it to the names of test targets.
if let only = Context.environment["ONLY_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

/// The packages that apps need. SwiftPM fetches whatever a product of a package may use, whichever product an app takes:
/// the trait keeps it from fetching the others.
let clientPackages = ["swift-crypto"]

extension Target.Dependency {
    /// The product of that name, for builds with the trait `Server` alone if apps have no use for its package.
    var product: Self {
        guard case .byNameItem(let name, nil) = self,
            let package = products.first(where: { $0.value.contains(name) })?.key
        else {
            return self
        }
        let isForClients = clientPackages.contains(package)
        return .product(name: name, package: package, condition: isForClients ? nil : .when(traits: ["Server"]))
    }
}

for target in package.targets where target.type != .system {
    target.dependencies = target.dependencies.map(\.product)
    var settings: [SwiftSetting] = [
        .swiftLanguageMode(.v6),
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    if warningsAsErrors { settings.append(.treatAllWarnings(as: .error)) }
    // In batches, because a process for each file would read all the others and expand their macros each time.
    if target.type == .test {
        settings.append(
            .unsafeFlags(
                ["-Onone", "-no-whole-module-optimization", "-enable-batch-mode", "-incremental"],
                .when(configuration: .release)))
    }
    // What the client decodes is internal to it.
    if isFuzzing { settings.append(.unsafeFlags(["-sanitize=fuzzer", "-enable-testing"])) }
    target.swiftSettings = settings
}
