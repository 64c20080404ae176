import Foundation

/// The newest entitlements that the server signed, on disk as they were signed. What is not signed, not about this
/// account, app and environment, or older than what is known, is refused.
///
/// Their entity tag is not on disk: beside something else it would have the server confirm that. The first question of
/// a process has a nonce instead, so that its answer is known to be of now.
struct EntitlementCache: Sendable {
    private struct Stored: Codable {
        /// The JWS.
        var signed: String
        var checkedAt: Date
    }

    /// A request for entitlements.
    struct Question: Sendable {
        var request: APIRequest
        let number: Int
        var nonce: String?
        /// Whether the server may answer that nothing has changed.
        var isConditional: Bool { request.headers["If-None-Match"] != nil }
    }

    /// An answer.
    struct Answer: Sendable {
        let signed: String
        let statement: SignedEntitlements
        let etag: String?
    }

    private let bundleID: String
    private let file: StoredFile<Stored>
    private(set) var value: SignedEntitlements?
    /// The JWS of ``value``.
    private var signed = ""
    /// The time at which the value was last confirmed.
    private(set) var checkedAt: Date?
    /// The tag of ``value``, if the server sent it to this process.
    private var etag: String?
    /// Why the latest answer, or what was on disk, was refused.
    private(set) var refusal: EntitlementRefusal?
    /// The number of questions that have begun, and of the last one whose answer counts.
    private var (begun, answered) = (0, 0)

    init(folder: URL, bundleID: String, trust: KeyTrust) {
        self.bundleID = bundleID
        file = Self.file(in: folder)
        guard let found = file.loadIfReadable() else { return }
        let statement = Self.statement(in: found.signed, folder: folder, trust: trust)
        guard let statement, statement.bundleID == bundleID else {
            refusal = statement == nil ? .signature : .otherApp
            return
        }
        value = statement
        signed = found.signed
        checkedAt = found.checkedAt
    }

    private static func file(in folder: URL) -> StoredFile<Stored> {
        StoredFile(ClientFolder.entitlements(folder), format: 2)
    }

    /// The statement that was accepted before, by the keys on disk; `nil` if they have not signed it.
    private static func statement(in signed: String, folder: URL, trust: KeyTrust) -> SignedEntitlements? {
        ManifestKeys.storedPayload(of: signed, type: SignedEntitlements.type, in: folder, trust: trust)
            .flatMap { try? JSONDecoder().decode(SignedEntitlements.self, from: $0) }
    }

    /// The entitlements in the folder of a shop, and the time at which the server last confirmed them.
    static func snapshot(of folder: URL, trust: KeyTrust) throws -> (SignedEntitlements, checkedAt: Date)? {
        guard let found = try file(in: folder).read(),
            let value = statement(in: found.signed, folder: folder, trust: trust)
        else { return nil }
        return (value, found.checkedAt)
    }

    /// Drops the value if it is about another account or environment.
    ///
    /// - Parameter environment: `nil` if it is not known.
    mutating func restrict(to account: UUID, in environment: StoreEnvironment?) {
        guard let value else { return }
        if value.account != account {
            refuse(.otherAccount)
        } else if let environment, environment != value.environment {
            refuse(.otherEnvironment)
        } else {
            return
        }
        (self.value, checkedAt) = (nil, nil)
    }

    /// Begins a question.
    ///
    /// - Parameter makeNonce: called if nothing was accepted in this process yet, or something was refused since.
    mutating func ask(_ request: APIRequest, at time: Date, makeNonce: () -> String) -> Question {
        begun += 1
        var question = Question(request: request, number: begun)
        if let etag, let value {
            if !value.isHalfOver(at: time) { question.request.headers["If-None-Match"] = etag }
        } else {
            let nonce = makeNonce()
            question.nonce = nonce
            question.request.headers["Quartermaster-Nonce"] = nonce
        }
        return question
    }

    /// Takes the answer that nothing has changed.
    ///
    /// - Returns: whether it counts; `false` if a later question was answered or ``remove()`` was called since.
    /// - Throws: ``EntitlementRefusal`` if that was not asked.
    mutating func confirm(_ question: Question, at time: Date) throws(EntitlementRefusal) -> Bool {
        guard question.number > answered else { return false }
        guard question.isConditional else { throw .unsigned }
        answered = question.number
        save(at: time)
        return true
    }

    /// Takes an answer whose signature is right.
    ///
    /// - Parameters:
    ///   - account: the one that the question was about.
    ///   - environment: the same; `nil` if it is not known.
    ///   - time: the present time.
    /// - Returns: whether the entitlements or balances have changed; `nil` if it does not count, as ``confirm(_:at:)``.
    /// - Throws: ``EntitlementRefusal``; the value stays.
    mutating func accept(
        _ answer: Answer, to question: Question, of account: UUID, in environment: StoreEnvironment?, at time: Date
    ) throws(EntitlementRefusal) -> Bool? {
        guard question.number > answered else { return nil }
        let statement = answer.statement
        guard statement.account == account else { throw .otherAccount }
        guard statement.bundleID == bundleID else { throw .otherApp }
        guard statement.environment == environment ?? .production else { throw .otherEnvironment }
        guard statement.nonce == question.nonce else { throw .otherRequest }
        guard statement.at >= value?.at ?? .distantPast else { throw .older }
        answered = question.number
        let isChanged = value.map { !statement.says(theSameAs: $0) } ?? true
        (value, signed, etag, refusal) = (statement, answer.signed, answer.etag, nil)
        save(at: time)
        return isChanged
    }

    private mutating func save(at time: Date) {
        checkedAt = time
        try? file.save(Stored(signed: signed, checkedAt: time))
    }

    /// Notes that an answer was refused: the next question has a nonce.
    mutating func refuse(_ refusal: EntitlementRefusal) { (self.refusal, etag) = (refusal, nil) }

    /// Forgets the value, and drops answers that are on their way, as after the account was changed.
    mutating func remove() {
        answered = begun
        file.remove()
        (value, checkedAt, etag, refusal) = (nil, nil, nil, nil)
    }
}
