public import Foundation

/// The account of this device, and its session with the server.
///
/// An expired token is replaced once by means of the recovery code, with one request however many wait for it. A stored
/// account is never replaced with a new one.
actor AccountSession {
    private let api: API
    private let credentials: any CredentialStore
    private let bundleID: String
    private let makeKey: @Sendable () -> String
    private let clock: ClientClock
    private let pendingKey: StoredFile<String>
    /// Since when an account is awaited that another device of the player has.
    private let awaitedSince: StoredFile<Date>
    private var account: PlayerAccount?
    private var opening: Task<PlayerAccount, any Error>?
    private var renewing: Task<PlayerAccount, any Error>?
    private var state = AccountState.none
    /// Whether the session has ended for good, so that no request is sent.
    private var isOver = false

    /// - Parameters:
    ///   - makeKey: makes an idempotency key of at least 128 random bits.
    ///   - folder: stores the key of an account that is being created, so that a lost answer creates no second one.
    init(
        api: API, credentials: any CredentialStore, bundleID: String, folder: URL, clock: ClientClock = .system,
        makeKey: @escaping @Sendable () -> String
    ) {
        self.api = api
        self.credentials = credentials
        self.bundleID = bundleID
        self.clock = clock
        self.makeKey = makeKey
        awaitedSince = StoredFile(folder.appendingPathComponent("account-awaited.json"))
        pendingKey = StoredFile(folder.appendingPathComponent("account-key.json"))
    }

    /// The account that is stored, or `nil`. As long as there is none it is looked for each time: another device's may
    /// come.
    ///
    /// - Throws: ``CredentialsUnavailable``.
    func current() throws -> PlayerAccount? {
        if account == nil, let found = try credentials.load() {
            account = found
            state = .signedIn(found.id)
            awaitedSince.remove()
        }
        return account
    }

    /// Has the next call read the credentials anew: another process may have changed them.
    func readAgain() { (account, state, isOver) = (nil, .none, false) }

    /// The account's state, read from the credential store if it was not read yet.
    var stored: AccountState {
        do {
            guard try current() == nil, let until = awaitedUntil, clock.now() < until else { return state }
            return .awaited(until: until)
        } catch {
            return .unavailable
        }
    }

    /// Whether an account may be created for transactions that came by themselves. Those that were bought for an
    /// account are evidence that the player has one on another device: if that may come with iCloud Keychain, it is
    /// waited for, ``accountWait`` from the first such transaction on.
    ///
    /// - Throws: ``CredentialsUnavailable``.
    func mayOpen(for transactions: [SignedTransaction]) throws -> Bool {
        guard try current() == nil, try credentials.mayReceiveAccounts(),
            transactions.contains(where: { $0.accountToken != nil })
        else { return true }
        let now = clock.now()
        // A time that is ahead comes from a clock that the player has set.
        if let until = awaitedUntil, until <= now + Self.accountWait { return until <= now }
        try awaitedSince.save(now)
        return false
    }

    /// How long an account of another device is waited for, in seconds. iCloud Keychain needs minutes on a new device.
    static let accountWait: TimeInterval = 600

    private var awaitedUntil: Date? { awaitedSince.loadIfReadable()?.addingTimeInterval(Self.accountWait) }

    /// Accounts of the same player that came from their other devices, or were replaced on this one.
    ///
    /// - Throws: ``CredentialsUnavailable``.
    func others() throws -> [PlayerAccount] { try credentials.otherAccounts() }

    /// The account that is stored, or a new one.
    func open() async throws -> PlayerAccount {
        if let account = try current() { return account }
        if let opening { return try await opening.value }
        let task = Task { try await self.create() }
        opening = task
        defer { opening = nil }
        return try await task.value
    }

    /// Signs in to the account with the recovery code, and stores it as this device's.
    func signIn(recoveryCode: String) async throws -> PlayerAccount {
        let answer = try await session(for: recoveryCode)
        let account = PlayerAccount(id: answer.account, recoveryCode: recoveryCode, accessToken: answer.accessToken)
        try store(account)
        return account
    }

    /// Ends the session and removes the account from the device. What was bought stays with the account.
    func signOut() async throws {
        let token = try current()?.accessToken
        try credentials.remove()
        account = nil
        state = .none
        isOver = false
        if let token { _ = try? await api.send(APIRequest(.delete, "v1", "sessions", "current"), token: token) }
    }

    /// Sends a request of the account.
    ///
    /// - Throws: as ``API/send(_:token:)``; ``NoAccount`` if there is none; ``SignedOut`` if its session has ended and
    ///   the recovery code opens no other. From then on it is thrown without a request, until ``tryAgain()``.
    func send(_ request: APIRequest) async throws -> HTTPResponse {
        guard let account = try current() else { throw NoAccount() }
        if isOver { throw SignedOut() }
        guard let token = account.accessToken else { return try await resend(request, insteadOf: nil) }
        do {
            return try await answered(api.send(request, token: token))
        } catch let problem as ServerProblem where problem.status == 401 {
            return try await resend(request, insteadOf: token)
        } catch let problem as ServerProblem where problem.code == .accountBlocked {
            state = .blocked(account.id)
            throw problem
        }
    }

    /// Makes the next request ask once more whether the recovery code opens a session.
    func tryAgain() { isOver = false }

    private func answered(_ response: HTTPResponse) -> HTTPResponse {
        if let account { state = .signedIn(account.id) }
        isOver = false
        return response
    }

    /// Wrong codes are limited by address: whoever keeps sending one locks out others at the same address.
    private func end(_ account: PlayerAccount) -> SignedOut {
        state = .signedOut(account.id)
        isOver = true
        return SignedOut()
    }

    private func resend(_ request: APIRequest, insteadOf token: String?) async throws -> HTTPResponse {
        let account = try await renewed(insteadOf: token)
        do {
            return try await answered(api.send(request, token: account.accessToken))
        } catch let problem as ServerProblem where problem.status == 401 {
            throw end(account)
        }
    }

    /// The account with a session that is newer than the token.
    private func renewed(insteadOf token: String?) async throws -> PlayerAccount {
        guard let account else { throw NoAccount() }
        if isOver { throw SignedOut() }
        if account.accessToken != token, account.accessToken != nil { return account }
        if let renewing { return try await renewing.value }
        let task = Task { try await self.renew(account) }
        renewing = task
        defer { renewing = nil }
        return try await task.value
    }

    private func renew(_ account: PlayerAccount) async throws -> PlayerAccount {
        guard let code = account.recoveryCode else { throw end(account) }
        do {
            let answer = try await session(for: code)
            let renewed = PlayerAccount(id: answer.account, recoveryCode: code, accessToken: answer.accessToken)
            try store(renewed)
            return renewed
        } catch let problem as ServerProblem where problem.code == .invalidCredentials {
            throw end(account)
        } catch let problem as ServerProblem where problem.code == .accountBlocked {
            state = .blocked(account.id)
            throw problem
        }
    }

    private func session(for code: String) async throws -> SessionAnswer {
        let request = try APIRequest(.post, "v1", "sessions").json(["recoveryCode": code])
        return try await JSONDecoder().decode(SessionAnswer.self, from: api.send(request).body)
    }

    /// Creates an account. The key is on disk before the request: if the answer is lost, the next call gets the same
    /// account.
    private func create() async throws -> PlayerAccount {
        let key = try pendingKey.load() ?? makeKey()
        try pendingKey.save(key)
        var request = try APIRequest(.post, "v1", "accounts").json(["bundleID": bundleID])
        request.headers["Idempotency-Key"] = key
        do {
            let answer = try await JSONDecoder().decode(SessionAnswer.self, from: api.send(request).body)
            let account = PlayerAccount(
                id: answer.account, recoveryCode: answer.recoveryCode, accessToken: answer.accessToken)
            try store(account)
            pendingKey.remove()
            return account
        } catch let problem as ServerProblem where problem.code == .idempotencyKeyReused {
            pendingKey.remove()
            return try await create()
        }
    }

    private func store(_ account: PlayerAccount) throws {
        try credentials.save(account)
        self.account = account
        awaitedSince.remove()
        state = .signedIn(account.id)
        isOver = false
    }
}

/// The answer to `POST /v1/accounts` and `POST /v1/sessions`.
struct SessionAnswer: Decodable, Sendable {
    let account: UUID
    let accessToken: String
    /// The recovery code, only of a new account.
    let recoveryCode: String?
}

/// The state of the device's account.
public enum AccountState: Sendable, Equatable {
    /// There is none yet: it is created with the first purchase, install, spend or restore.
    case none
    /// There is none yet, and a purchase shows that the player has one on another device: it may come with iCloud
    /// Keychain until then, and is created afterwards. Offer to sign in with the recovery code meanwhile.
    case awaited(until: Date)
    /// It has a session, as far as the server has said.
    case signedIn(UUID)
    /// Its session has ended, and the stored recovery code opens no other: ask the player for the code.
    case signedOut(UUID)
    /// An administrator blocked it: refer the player to support.
    case blocked(UUID)
    /// The device cannot read it now, for example before the first unlock.
    case unavailable

    /// The account's ID, if there is an account.
    public var id: UUID? {
        switch self {
        case .signedIn(let id), .signedOut(let id), .blocked(let id): id
        case .none, .awaited, .unavailable: nil
        }
    }
}

/// The session has ended and the stored recovery code opens no other. Nothing was lost: ask the player for the code.
/// Until somebody signs in, no further requests are sent; ``Quartermaster/resume()`` asks once whether the code works
/// by now.
public struct SignedOut: Error, Sendable {
    public init() {}
}
