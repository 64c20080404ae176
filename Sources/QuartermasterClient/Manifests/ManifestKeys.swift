import Foundation

/// The keys that sign what the server says, as it published them over TLS and as ``KeyTrust`` has it. The answer is
/// kept on disk, and requested again once a day or if a key is unknown.
actor ManifestKeys {
    fileprivate struct Stored: Codable {
        /// The answer as it came: what is on disk is judged as what comes from the network.
        var answer: Data
        var asked: Date
    }

    private let api: API
    private let file: StoredFile<Stored>
    private let clock: ClientClock
    private let time: ServerTime
    private let trust: KeyTrust
    private var known: (keys: TrustedKeys, asked: Date)?
    private var lastAnswer: Duration?
    private var asking: Task<TrustedKeys, any Error>?

    /// - Parameter time: the server's, as other answers told it.
    init(api: API, folder: URL, clock: ClientClock, time: ServerTime, trust: KeyTrust) {
        self.api = api
        file = Self.file(in: folder)
        self.clock = clock
        self.time = time
        self.trust = trust
    }

    /// The payload of a message, if a key of the server has signed it and it is of the expected type.
    ///
    /// - Throws: ``DownloadError/signature``, or what a request throws.
    func payload(of text: String?, type: String) async throws -> Data {
        guard let message = text.flatMap(SignedMessage.init), message.type == type,
            let key = try await key(message.keyID), message.isSigned(by: key)
        else { throw DownloadError.signature }
        return message.payload
    }

    private func key(_ id: String) async throws -> Data? {
        guard trust.pinned.isEmpty || trust.pinned.contains(id) else { return nil }
        let known =
            self.known
            ?? file.loadIfReadable().flatMap { stored in
                (try? trust.keys(in: stored.answer)).map { ($0, stored.asked) }
            }
        self.known = known
        // What is new is accepted by no list that has expired, whoever holds the next one back.
        let key = known.flatMap { time.latest() < $0.keys.expires ? $0.keys.keys[id] : nil }
        if key != nil, isRecent(known) { return key }
        if key == nil, let lastAnswer, clock.uptime() - lastAnswer < BundleLimits.keysInterval { return nil }
        do {
            return try await ask().keys[id]
        } catch {
            guard let key else { throw error }
            return key
        }
    }

    private func isRecent(_ known: (keys: TrustedKeys, asked: Date)?) -> Bool {
        guard let known else { return false }
        return (0..<BundleLimits.keysAge).contains(clock.now().timeIntervalSince(known.asked))
    }

    private func ask() async throws -> TrustedKeys {
        if let asking { return try await asking.value }
        let task = Task { try await self.fetch() }
        asking = task
        defer { asking = nil }
        return try await task.value
    }

    /// - Throws: ``DownloadError/signature`` also for a list of a root that has expired, or is older than the one that
    ///   is known: somebody holds the newer one back.
    private func fetch() async throws -> TrustedKeys {
        var request = APIRequest(.get, "v1", "keys")
        request.mayUseMirror = true
        let response = try await api.send(request)
        let keys = try trust.keys(in: response.body)
        guard keys.version >= known?.keys.version ?? 0, time.latest(with: response) < keys.expires else {
            throw DownloadError.signature
        }
        known = (keys, clock.now())
        lastAnswer = clock.uptime()
        try? file.save(Stored(answer: response.body, asked: clock.now()))
        return keys
    }
}

extension ManifestKeys {
    private static func file(in folder: URL) -> StoredFile<Stored> {
        StoredFile(folder.appendingPathComponent("keys.json"), format: 2)
    }

    /// The payload of a message that was accepted before, by the keys that are on disk: those that signed it stay valid
    /// for it, although their list may have expired.
    ///
    /// - Returns: `nil` if none of them has signed it, or it is of another type.
    static func storedPayload(of text: String, type: String, in folder: URL, trust: KeyTrust) -> Data? {
        guard let message = SignedMessage(text), message.type == type,
            let stored = (try? file(in: folder).read()).flatMap(\.self),
            let key = (try? trust.keys(in: stored.answer))?.keys[message.keyID], message.isSigned(by: key)
        else { return nil }
        return message.payload
    }
}
