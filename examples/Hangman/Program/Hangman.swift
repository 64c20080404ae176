import ArgumentParser
import Foundation
import QuartermasterClient

/// Hangman for terminals: the game that shows what a client of the server does.
@main
struct Hangman: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hangman",
        abstract: "Hangman in the terminal, with a shop: word packs, hints and themes from a Quartermaster server.",
        discussion: "It needs a server and its simulated App Store to buy something, and nothing to play.")

    @Option(help: "The URL of the server.")
    var server = "http://127.0.0.1:8080"

    @Option(help: "The URL of the simulated App Store.")
    var simulator = "http://127.0.0.1:8090"

    @Option(help: "The folder in which the game keeps the account, what was downloaded and the score.")
    var home = "~/.hangman"

    @Flag(help: "No full screen: a command a line from standard input, an answer a line. The command help lists them.")
    var plain = false

    func run() async throws {
        let home = try Home(home)
        let client = try await open(home)
        if plain {
            var session = PlainSession(client: client, home: home)
            return await session.run()
        }
        guard let terminal = Terminal() else { throw Failure("there is no terminal here: try --plain") }
        await FullScreen(terminal: terminal, client: client, home: home).run()
    }

    private func open(_ home: Home) async throws -> GameClient {
        do {
            return try await GameClient.open(
                server: Self.url(server), simulator: Self.url(simulator), home: home, languages: Self.languages)
        } catch is FolderInUse {
            throw Failure("another game uses \(home.folder.path)")
        }
    }

    /// The language of the terminal (POSIX, \"Internationalization Variables\"), then that of the game.
    private static var languages: [String] {
        let environment = ProcessInfo.processInfo.environment
        let set = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty }
        guard let set else { return ["en"] }
        return [set.prefix { $0 != "." && $0 != "@" }.replacing("_", with: "-"), "en"].map { String($0) }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text), let scheme = url.scheme, ["http", "https"].contains(scheme),
            url.host() != nil
        else { throw ValidationError("'\(text)' is no URL such as http://127.0.0.1:8080") }
        return url
    }

    /// Why the game cannot begin.
    struct Failure: Error, CustomStringConvertible {
        let description: String

        init(_ description: String) {
            self.description = description
        }
    }
}
