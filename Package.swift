// swift-tools-version: 6.2

import PackageDescription

/// `WARNINGS_AS_ERRORS=1 swift build` fails on a warning in our own targets; those of dependencies stay warnings.
let warningsAsErrors = Context.environment["WARNINGS_AS_ERRORS"] == "1"

let domain: Target.Dependency = "InAppPurchase"
let plugins: [Target.Dependency] = [
    "Consumable", "NonConsumable", "NonRenewingSubscription", "AutoRenewableSubscription",
]

let package = Package(
    name: "quartermaster",
    platforms: [.iOS(.v17), .macOS(.v15), .tvOS(.v17), .visionOS(.v1)],
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
            dependencies: [.product(name: "Crypto", package: "swift-crypto", condition: .when(platforms: [.linux]))]
        ),
        .target(name: "QuartermasterZstd", dependencies: ["QuartermasterClient", "CZstd"]),
        .target(name: "Basics"),
        .target(name: "InAppPurchase", dependencies: ["Basics"]),
        .target(name: "Ledger", dependencies: [domain, "Basics"]),
        .target(name: "Consumable", dependencies: [domain], path: "Plugins/Consumable"),
        .target(name: "NonConsumable", dependencies: [domain], path: "Plugins/NonConsumable"),
        .target(name: "NonRenewingSubscription", dependencies: [domain], path: "Plugins/NonRenewingSubscription"),
        .target(name: "AutoRenewableSubscription", dependencies: [domain], path: "Plugins/AutoRenewableSubscription"),
        .target(
            name: "StoreClient",
            dependencies: [
                domain, "Basics",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .target(
            name: "AppStore",
            dependencies: [
                domain, "Basics", "StoreClient",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTP2", package: "swift-nio-http2"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .target(
            name: "AppStoreSimulator",
            dependencies: [
                domain, "Basics", "CDescriptions",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .target(
            name: "LedgerPostgres",
            dependencies: [
                "Ledger", "Basics", domain, "CPostgres", "LedgerSQL",
                .product(name: "Crypto", package: "swift-crypto"),
            ]
        ),
        .target(
            name: "LedgerSQL",
            dependencies: ["CZlib", "Ledger", "Basics", domain, .product(name: "Crypto", package: "swift-crypto")]),
        .target(
            name: "LedgerSQLite",
            dependencies: [
                "CSQLite", "Ledger", "Basics", domain, "LedgerSQL", .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "GRDBSQLite", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "ObjectStore",
            dependencies: [
                "Basics", domain,
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "Content",
            dependencies: [
                "Ledger", domain, "Basics", "CZlib", "CZstd", "ObjectStore",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .target(
            name: "AuditSeal",
            dependencies: ["Ledger", "Basics", domain, .product(name: "Crypto", package: "swift-crypto")]),
        .target(name: "AdminPages", dependencies: [.product(name: "Mustache", package: "swift-mustache")]),
        .target(
            name: "PrometheusMetrics",
            dependencies: [
                .product(name: "CoreMetrics", package: "swift-metrics")
            ]
        ),
        .target(
            name: "QuartermasterServer",
            dependencies: plugins + [
                "AdminPages", "Ledger", domain, "AppStore", "AppStoreSimulator", "AuditSeal", "Basics",
                "CDescriptions", "Content", "LedgerPostgres", "LedgerSQL", "LedgerSQLite", "ObjectStore",
                "PrometheusMetrics", "StoreClient",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "CoreMetrics", package: "swift-metrics"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdHTTP2", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOFoundationCompat", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOTLS", package: "swift-nio"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "UnixSignals", package: "swift-service-lifecycle"),
            ]
        ),
        .executableTarget(name: "quartermaster", dependencies: ["QuartermasterServer"]),
        .target(name: "HangmanGame", path: "examples/Hangman/Game"),
        .executableTarget(
            name: "hangman",
            dependencies: [
                "HangmanGame", "QuartermasterClient",
                .target(name: "QuartermasterZstd", condition: .when(platforms: [.linux])),
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "examples/Hangman/Program"
        ),
        .testTarget(name: "HangmanGameTests", dependencies: ["HangmanGame", "TestSupport"]),
        .target(name: "FreeSubscription", dependencies: [domain], path: "Tests/FreeSubscription"),
        .testTarget(name: "FreeSubscriptionTests", dependencies: [domain, "FreeSubscription"]),
        .target(name: "TestSupport", dependencies: ["Basics", "Ledger", domain], path: "Tests/TestSupport"),
        .testTarget(name: "BasicsTests", dependencies: [domain, "Basics", "TestSupport"]),
        .testTarget(name: "InAppPurchaseTests", dependencies: plugins + ["Basics", "Ledger", domain, "TestSupport"]),
        .testTarget(name: "PluginTests", dependencies: plugins + ["Basics", "Ledger", domain, "TestSupport"]),
        .testTarget(
            name: "AppStoreTests",
            dependencies: [
                domain, "AppStore", "AppStoreSimulator", "Basics", "StoreClient", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .testTarget(
            name: "AppStoreSimulatorTests",
            dependencies: [
                "Basics", domain, "AppStore", "AppStoreSimulator", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
        .testTarget(
            name: "LedgerTests",
            dependencies: plugins + [
                "Basics", "Ledger", domain, "LedgerPostgres", "LedgerSQL", "LedgerSQLite", "PostgresSupport",
                "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .target(
            name: "PostgresSupport", dependencies: ["Basics", "Ledger", domain, "LedgerPostgres", "LedgerSQL"],
            path: "Tests/PostgresSupport"),
        .testTarget(
            name: "LedgerPostgresTests",
            dependencies: ["Basics", "Ledger", domain, "LedgerPostgres", "LedgerSQL", "PostgresSupport", "TestSupport"]),
        .testTarget(
            name: "AuditSealTests",
            dependencies: plugins + [
                "Basics", "Ledger", domain, "AuditSeal", "LedgerSQL", "LedgerSQLite", "TestSupport",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]
        ),
        .testTarget(
            name: "QuartermasterClientTests",
            dependencies: [
                "CZstd", "QuartermasterClient", "QuartermasterZstd", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "ObjectStoreTests",
            dependencies: [
                "Basics", domain, "ObjectStore", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
            ]
        ),
        .testTarget(
            name: "ContentTests",
            dependencies: [
                "Basics", "Ledger", domain, "Content", "LedgerSQL", "LedgerSQLite", "ObjectStore", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "SystemPackage", package: "swift-system"),
            ]
        ),
        .testTarget(name: "AdminPagesTests", dependencies: ["AdminPages"]),
        .testTarget(
            name: "PrometheusMetricsTests",
            dependencies: [
                "PrometheusMetrics", "TestSupport",
                .product(name: "CoreMetrics", package: "swift-metrics"),
            ]
        ),
        .testTarget(
            name: "QuartermasterServerTests",
            dependencies: plugins + [
                "AdminPages", "Ledger", domain, "AppStore", "AppStoreSimulator", "AuditSeal", "Basics", "Content",
                "FreeSubscription", "LedgerPostgres", "LedgerSQL", "LedgerSQLite", "ObjectStore", "PostgresSupport",
                "PrometheusMetrics",
                "QuartermasterServer", "StoreClient", "TestSupport",
                .product(name: "AsyncHTTPClient", package: "async-http-client"),
                .product(name: "Configuration", package: "swift-configuration"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "GRDB", package: "GRDB.swift"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Hummingbird", package: "hummingbird"),
                .product(name: "HummingbirdCore", package: "hummingbird"),
                .product(name: "HummingbirdTesting", package: "hummingbird"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHPACK", package: "swift-nio-http2"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
                .product(name: "SwiftASN1", package: "swift-asn1"),
                .product(name: "SystemPackage", package: "swift-system"),
                .product(name: "X509", package: "swift-certificates"),
            ]
        ),
    ]
)

/// `make bench-verification`, `make check-guide` and `make check-tools` set it. Nothing else needs these programs, and
/// linking them takes time in every build of the tests.
let tools = Context.environment["DEVELOPMENT_TOOLS"]
let buildsTools = tools == "1" || tools == "all"
if buildsTools {
    package.targets += [
        .executableTarget(
            name: "verification-bench",
            dependencies: [
                domain, "AppStore", .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "Tests/VerificationBench"
        ),
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
                domain, "AppStore", "Basics", "Content", "LedgerSQLite", "QuartermasterClient", "QuartermasterServer",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "HTTPTypes", package: "swift-http-types"),
                .product(name: "Logging", package: "swift-log"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOEmbedded", package: "swift-nio"),
                .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
                .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
            ],
            path: "Tests/Fuzz",
            linkerSettings: isFuzzing ? [.unsafeFlags(["-sanitize=fuzzer"])] : []))
}

/// `make test ONLY='TARGET …'` sets it to the names of test targets.
if let only = Context.environment["ONLY_TESTS"]?.split(separator: " ").map(String.init) {
    package.targets.removeAll { $0.type == .test && !only.contains($0.name) }
}

/// The packages that apps need. SwiftPM fetches whatever a product of a package may use, whichever product an app takes:
/// the trait keeps it from fetching the others.
let clientPackages = ["swift-crypto"]

extension Target.Dependency {
    /// The same dependency, for builds with the trait `Server` alone if an app has no use for its package.
    var forServersOnly: Self {
        guard case .productItem(let name, let package?, let aliases, nil) = self, !clientPackages.contains(package)
        else {
            return self
        }
        return .product(name: name, package: package, moduleAliases: aliases, condition: .when(traits: ["Server"]))
    }
}

for target in package.targets where target.type != .system {
    target.dependencies = target.dependencies.map(\.forServersOnly)
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
