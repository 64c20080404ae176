import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger
import NIOHTTP1
import ServerCore
import ServerHTTP

extension BundlesCommand {
    struct Yank: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Yank a version: stop offering it. Players who have it can still download its files.",
            discussion: """
                Players who ask for the newest version get the next lower one. The version number cannot be reused.
                Example: quartermaster bundles yank hard-words 1.1.0
                """)

        @OptionGroup var options: SettingOptions
        @OptionGroup var name: VersionName

        func run(_ program: any ServerProgram) async throws {
            if let server = try options.remote { return try await name.change("yank", at: server) }
            try await options.publishing(name.bundle, name.version, program.handlers) { publisher in
                try await publisher.yank(name.version, of: name.bundle, name.act)
            }.print(json: name.json, name.confirmation)
        }
    }

    struct Restore: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Offer a yanked version again.",
            discussion: "Example: quartermaster bundles restore hard-words 1.1.0")

        @OptionGroup var options: SettingOptions
        @OptionGroup var name: VersionName

        func run(_ program: any ServerProgram) async throws {
            if let server = try options.remote { return try await name.change("restore", at: server) }
            try await options.publishing(name.bundle, name.version, program.handlers) { publisher in
                try await publisher.restore(name.version, of: name.bundle, name.act)
            }.print(json: name.json, name.confirmation)
        }
    }

    struct Discard: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Discard a draft: a version whose files have not all been uploaded.",
            discussion: "Example: quartermaster bundles discard hard-words 1.2.0")

        @OptionGroup var options: SettingOptions
        @OptionGroup var name: VersionName

        func run(_ program: any ServerProgram) async throws {
            if let server = try options.remote {
                let path = ["bundles", name.bundle.text, "versions", name.version.description]
                _ = try await server.ask(RemoteQuestion(method: .DELETE, path: path))
            } else {
                try await options.publishing(name.bundle, name.version, program.handlers) { publisher in
                    try await publisher.discard(name.version, of: name.bundle, name.act)
                }
            }
            guard !name.json else { return print("{}") }
            name.confirmation.print("\(name.bundle) \(name.version): discarded")
        }
    }

    struct Promote: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract: "Promote a version from the beta channel to everybody.",
            discussion: "Example: quartermaster bundles promote hard-words 1.2.0")

        @OptionGroup var options: SettingOptions
        @OptionGroup var name: VersionName

        func run(_ program: any ServerProgram) async throws {
            if let server = try options.remote { return try await name.change("promote", at: server) }
            try await options.publishing(name.bundle, name.version, program.handlers) { publisher in
                try await publisher.promote(name.version, of: name.bundle, name.act)
            }.print(json: name.json, name.confirmation)
        }
    }
}

/// The arguments that name an existing version.
struct VersionName: ParsableArguments {
    @Argument(help: "The bundle's name.") var bundle: BundleName

    @Argument(help: "Its version.", transform: Self.version) var version: SemanticVersion

    @OptionGroup var confirmation: Confirmation

    @Flag(help: "Print JSON.") var json = false

    /// The user of this process as the actor, and the current time.
    var act: PublishingAct { PublishingAct(by: .command(user: NSUserName()), at: Date()) }

    /// Yanks, restores or promotes the version at a distant server, and prints the outcome.
    func change(_ act: String, at server: RemoteServer) async throws {
        let (version, isChanged) = try await server.change(version, of: bundle, act)
        try version.print(isChanged: isChanged, json: json, confirmation)
    }

    private static func version(_ text: String) throws -> SemanticVersion {
        guard let version = SemanticVersion(text) else {
            throw ValidationError("Not a semantic version, such as 1.1.0.")
        }
        return version
    }
}
