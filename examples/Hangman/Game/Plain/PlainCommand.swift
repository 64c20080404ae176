/// A line of the form that programs and screen readers use: a command, and for some of them what it is about.
package enum PlainCommand: Sendable, Equatable {
    case store, status, refresh, restorePurchases, code, play, hint, quit, help
    case buy(String)
    case extend(String)
    case install(String)
    case pack(String?)
    case theme(String?)
    case guess(Character)
    case restore(String)
    case offline(Bool)
    /// An empty line, which is answered with nothing.
    case nothing
    /// No command, for a reason in words.
    case wrong(String)

    /// The commands, for who asks.
    package static let usage =
        "commands: store, buy <product ID>, extend <product ID>, install <bundle>, pack <bundle>, theme <bundle>, play, "
        + "guess <letter>, hint, code, restore <code>, status, refresh, offline on, offline off, quit"

    package init(_ line: String) {
        let words = line.split { $0.isWhitespace }.map(String.init)
        guard let verb = words.first else {
            self = .nothing
            return
        }
        guard words.count <= 2 else {
            self = .wrong("\(verb) takes one word at most; \(Self.usage)")
            return
        }
        self = Self.bare(verb, words.dropFirst().first) ?? Self.about(verb, words.dropFirst().first)
    }

    private static func bare(_ verb: String, _ word: String?) -> Self? {
        switch (verb, word) {
        case ("store", nil): .store
        case ("status", nil): .status
        case ("refresh", nil): .refresh
        case ("code", nil): .code
        case ("play", nil): .play
        case ("hint", nil): .hint
        case ("quit", nil): .quit
        case ("help", nil): .help
        case ("pack", nil): .pack(nil)
        case ("theme", nil): .theme(nil)
        case ("restore", nil): .restorePurchases
        default: nil
        }
    }

    private static func about(_ verb: String, _ word: String?) -> Self {
        guard let word else { return .wrong("unknown or incomplete: \(Columns.printable(verb)); \(usage)") }
        switch (verb, word) {
        case ("buy", _): return .buy(word)
        case ("extend", _): return .extend(word)
        case ("install", _): return .install(word)
        case ("pack", _): return .pack(word)
        case ("theme", _): return .theme(word)
        case ("restore", _): return .restore(word)
        case ("offline", "on"): return .offline(true)
        case ("offline", "off"): return .offline(false)
        case ("guess", _) where word.count == 1: return word.first.map { .guess($0) } ?? .nothing
        case ("guess", _): return .wrong("guess takes one letter")
        default: return .wrong("unknown: \(Columns.printable(verb)); \(usage)")
        }
    }
}
