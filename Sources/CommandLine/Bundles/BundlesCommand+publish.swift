import ArgumentParser
import Content
import Foundation
import InAppPurchase
import Ledger
import ServerCore
import ServerHTTP

extension BundlesCommand {
    struct Publish: ServerCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Publish a folder as a version of a bundle. Running servers offer it within two seconds.",
            discussion: """
                The version is published as a whole or not at all: files that the content repository in the content \
                folder lacks are copied into it first. Publishing the same version again changes nothing if the files \
                are the same, and is refused if they differ. The change is recorded in the audit trail.
                Example: quartermaster bundles publish new-words --bundle hard-words --version 1.1.0
                """)

        @OptionGroup var options: SettingOptions
        // Optional, so that `validate` reports what is missing: if a command cannot be parsed, the parser takes its
        // --version for the option that prints the program's version.
        @Option(help: "The bundle's name, as products name it.") var bundle: String?
        @Option(help: "A semantic version, higher than every published one.") var version: String?
        @Flag(help: "Publish a version below the newest one, as the highest with the same first two numbers.")
        var patch = false
        @Option(help: "The lowest app version that can read it, such as 2.1.") var minimumAppVersion: String?
        @Option(help: "The highest app version that can read it.") var maximumAppVersion: String?
        @Option(help: "The language of its words, such as en or zh-Hant.") var locale: String?
        @Flag(help: "Have apps download it as soon as a player may have it.") var essential = false
        @Option(help: "The languages of the players that it is for, such as en,zh-Hant (default: all).")
        var languages: String?
        @Option(
            help: "The release channel: stable or beta (default: beta for pre-release versions, else stable).",
            transform: Self.channel) var channel: ReleaseChannel?
        @OptionGroup var confirmation: Confirmation
        @Flag(help: "Print JSON.") var json = false
        @Argument(help: "The folder with the version's files.") var folder: String?

        func validate() throws { _ = try (plan, source) }

        func run(_ program: any ServerProgram) async throws {
            let (plan, source, progress) = (try plan, try source, ProgressLine.onTerminal(clock: { Date() }))
            if let server = try options.remote {
                defer { progress?.clear() }
                return try await publish(source, as: plan, at: server, progress)
            }
            let act = PublishingAct(by: .command(user: NSUserName()), at: Date())
            let outcome = try await options.publishing(plan.bundle, plan.version, program.handlers) { publisher in
                defer { progress?.clear() }
                return try await publisher.publish(source, as: plan, act) { progress?.show($0) }
            }
            for problem in outcome.unprepared {
                try? FileHandle.standardError.write(contentsOf: Data("sent as it is: \(problem)\n".utf8))
            }
            Self.warn(of: outcome.programs)
            try outcome.print(json: json, confirmation)
        }

        private static func warn(of programs: [String]) {
            for path in programs {
                let warning = """
                    warning: \(path.withoutControlCharacters): a program or script; App Review refuses apps that \
                    download code which changes what they do (guideline 2.5.2)

                    """
                try? FileHandle.standardError.write(contentsOf: Data(warning.utf8))
            }
        }

        private func publish(
            _ folder: String, as plan: VersionPlan, at server: RemoteServer, _ line: ProgressLine?
        ) async throws {
            let source: SourceFolder
            do { source = try SourceFolder(reading: folder) { line?.show($0) } } catch let error as ContentError {
                throw CommandError("\(folder): \(error)")
            }
            let (version, isChanged) = try await server.publish(source, as: plan) { line?.show($0) }
            line?.clear()
            Self.warn(of: version.programs ?? [])
            try version.print(isChanged: isChanged, json: json, confirmation)
        }

        private var source: String {
            get throws {
                guard let folder else { throw ValidationError("Name the folder with the version's files.") }
                return folder
            }
        }

        private var plan: VersionPlan {
            get throws {
                guard let bundle else { throw ValidationError("Name the bundle with --bundle.") }
                guard let version = version.flatMap({ SemanticVersion($0) }) else {
                    throw ValidationError("Give a semantic version with --version, such as 1.1.0.")
                }
                return VersionPlan(
                    bundle: BundleName(stored: bundle), version: version, isPatch: patch,
                    minimumAppVersion: try appVersion(minimumAppVersion, "--minimum-app-version"),
                    maximumAppVersion: try appVersion(maximumAppVersion, "--maximum-app-version"), locale: locale,
                    isEssential: essential, languages: languages.map(VersionPlan.languages) ?? [], channel: channel)
            }
        }

        private static func channel(_ name: String) throws -> ReleaseChannel {
            guard let channel = ReleaseChannel(rawValue: name) else { throw ValidationError("stable or beta.") }
            return channel
        }

        private func appVersion(_ text: String?, _ option: String) throws -> SemanticVersion? {
            guard let text else { return nil }
            guard let version = SemanticVersion(appVersion: text) else {
                throw ValidationError("\(option): must be an app version, such as 1.10.")
            }
            return version
        }
    }
}

extension SettingOptions {
    /// Publishes or withdraws a version while a server may be running.
    ///
    /// - Throws: ``/ServerCore/CommandError`` that names the version and the error; if there is no ledger, before
    ///   anything is changed: what players get must not change without a row in the server's audit trail.
    func publishing<Value: Sendable>(
        _ bundle: BundleName, _ version: SemanticVersion, _ handlers: [any ProductHandler.Type],
        _ body: (ContentPublisher) async throws -> Value
    ) async throws -> Value {
        let settings = try await settings()
        let ledger = try LedgerOpener.openExisting(settings.database, handlers: handlers)
        do {
            return try await body(
                ContentPublisher(
                    content: settings.contentPlace(clock: { Date() }), trail: ledger,
                    patches: PatchExtent(versions: settings.patchVersions)))
        } catch let refusal as PublishRefusal {
            throw CommandError("\(bundle) \(version): \(refusal)")
        } catch let error as LedgerUnavailable {
            throw CommandError("\(settings.databaseName): \(error.detail); nothing is changed")
        }
    }
}

extension PublishingOutcome {
    /// Prints to standard output.
    func print(json: Bool, _ confirmation: Confirmation) throws {
        try VersionBody(record).print(isChanged: isChanged, json: json, confirmation)
    }
}

extension VersionBody {
    private struct Line: Encodable {
        var bundle: BundleName
        var version: String
        var state: PublicationState
        var changed: Bool
        var files: Int
        var bytes: Int
    }

    /// Prints to standard output.
    func print(isChanged: Bool, json: Bool, _ confirmation: Confirmation) throws {
        let line = Line(
            bundle: bundle, version: version, state: state, changed: isChanged, files: files, bytes: bytes)
        let text = """
            \(line.bundle) \(line.version): \(isChanged ? "" : "unchanged, ")\(line.state.rawValue), \
            \(line.files) files, \(line.bytes) bytes
            """
        if json { Swift.print(try line.json) } else { confirmation.print(text) }
    }
}
