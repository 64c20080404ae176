import Foundation

/// The environment of the store, which is asked for it once a process: the question may need the network, and minutes.
actor KnownEnvironment {
    /// The maximum time that callers wait for the store.
    static let wait = Duration.seconds(2)

    private struct Stored: Codable {
        var build: String
        var environment: StoreEnvironment
    }

    private let source: any PurchaseSource
    private let clock: ClientClock
    private let file: StoredFile<Stored>
    private let build: String
    private var question: Task<Void, Never>?
    /// The store's answer.
    private var answer: StoreEnvironment?
    /// The environment of the latest transaction.
    private var ofTransaction: StoreEnvironment?

    init(source: any PurchaseSource, configuration: Quartermaster.Configuration) {
        self.source = source
        clock = configuration.clock
        build = configuration.build
        file = StoredFile(configuration.folder.appendingPathComponent("environment.json"))
    }

    /// The store's answer; without one that of the latest transaction, or what an earlier process with the same build
    /// of the app knew. The first callers wait for the answer, at most ``wait``; later ones do not.
    func value() async -> StoreEnvironment? {
        if question == nil { question = Task { await self.ask() } }
        await question?.value
        return known
    }

    /// The same without waiting.
    var known: StoreEnvironment? { answer ?? ofTransaction ?? stored }

    /// Takes the environment of a transaction that the store handed over.
    func learn(from transaction: SignedTransaction) {
        guard let environment = transaction.environment else { return }
        ofTransaction = environment
        if answer == nil { save(environment) }
    }

    /// Asks the store, and returns when it has answered or the wait is over. A later answer counts as well.
    private func ask() async {
        let (stream, writer) = AsyncStream.makeStream(of: Void.self)
        let (source, clock) = (source, clock)
        Task {
            self.receive(await source.environment())
            writer.finish()
        }
        let timer = Task {
            try? await clock.sleep(Self.wait)
            writer.finish()
        }
        for await _ in stream {}
        timer.cancel()
    }

    private func receive(_ environment: StoreEnvironment?) {
        guard let environment else { return }
        answer = environment
        save(environment)
    }

    private func save(_ environment: StoreEnvironment) {
        guard stored != environment else { return }
        try? file.save(Stored(build: build, environment: environment))
    }

    private var stored: StoreEnvironment? {
        file.loadIfReadable().flatMap { $0.build == build ? $0.environment : nil }
    }
}
