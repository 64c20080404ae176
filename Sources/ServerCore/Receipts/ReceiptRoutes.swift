import Foundation
import HTTPTypes
import Hummingbird
import InAppPurchase
import Ledger
import NIOCore
package import ServerHTTP
import StrictJSON

/// Accepts receipts, and returns their outcomes.
struct ReceiptRoutes: RouteFeature {
    /// The seconds after which it makes sense to ask about a pending receipt again (`Retry-After`).
    static let retryAfter = 5

    let intake: ReceiptIntake
    let entitlements: EntitlementRoutes
    let ledger: any ReceiptLedger
    let decisions: ServingContext
    /// The rate limit of receipts, by account.
    let limiter: RateLimiter<AccountID>
    let clients: ClientAddresses

    func add(to groups: RouteGroups) {
        let post = RouteFacts("sendReceipt", reads: .json(PostBody.self))
        groups.player.on(.post, "receipts", post) { try await self.post($0, $1) }
        groups.player.on(.get, "receipts/{id}", RouteFacts("getReceipt")) { _, context in try await get(context) }
        let restore = RouteFacts("restorePurchases", reads: .json(RestoreBody.self))
        groups.player.on(.post, "restore", restore) { try await self.restore($0, $1) }
    }

    private func post(_ request: Request, _ context: ServerContext) async throws -> Response {
        let account = try context.account
        let body = try await read(PostBody.self, request, context)
        try requireName(body.bundleID)
        let answer = try await intake.accept(
            body.receipt, bundleID: body.bundleID, device: body.device, mayTransfer: body.mayTransfer ?? true,
            from: account, at: clients.subscriber(request, context))
        context.notes.receipt = answer.receipt
        return try response(answer)
    }

    /// - Throws: 400 for a bundle ID with a control character, which no app has: it is recorded with the receipt.
    private func requireName(_ bundleID: BundleID?) throws {
        guard bundleID?.text.hasControlCharacters != true else {
            throw Problem.invalidRequest("bundleID: has a control character")
        }
    }

    private func get(_ context: ServerContext) async throws -> Response {
        let id = try context.pathPart("id")
        let answer = try await ledger.receipt(id, of: try context.account, in: decisions.context)
        guard let answer else { throw Problem.notFound }
        context.notes.receipt = answer.receipt
        return .json(bytes: try ReceiptBody(answer).json())
    }

    private func response(_ answer: ReceiptAnswer) throws -> Response {
        switch answer.status {
        case .verified: return .json(bytes: try ReceiptBody(answer).json())
        case .pending:
            return try .json(
                PendingBody(receipt: answer.receipt, reason: answer.reason, provisionalUntil: answer.provisionalUntil),
                status: .accepted,
                headers: [.location: "/v1/receipts/\(answer.receipt)", .retryAfter: "\(Self.retryAfter)"])
        case .conflict:
            throw Problem(
                .conflict, "owned_by_another_account", "The purchase belongs to another account",
                reason: DenialReason.ownedByAnotherAccount.rawValue, remedy: answer.remedy?.rawValue,
                receipt: answer.receipt)
        case .rejected:
            throw Problem(
                .unprocessableContent, "receipt_rejected", "The receipt was rejected",
                reason: answer.reason, receipt: answer.receipt)
        }
    }

    private func restore(_ request: Request, _ context: ServerContext) async throws -> Response {
        let (account, nonce) = (try context.account, try request.nonce)
        let body = try await read(RestoreBody.self, request, context)
        try requireName(body.bundleID)
        let receipts = body.receipts ?? []
        limiter.release(for: account)
        try limiter.consume(receipts.count, for: account, at: decisions.clock())
        guard receipts.count <= Limits.receiptsPerRestore else {
            throw Problem(
                .unprocessableContent, "invalid_request", "Too many receipts",
                detail: "At most \(Limits.receiptsPerRestore) in one call.")
        }
        let scope = try decisions.scope(bundleID: body.bundleID, environment: body.environment)
        let address = clients.subscriber(request, context)
        let clock = ContinuousClock()
        let deadline = clock.now.advanced(by: Limits.firstAttempt)
        var restored: [EntitlementsBody.Restored] = []
        for receipt in receipts {
            let time = clock.now.duration(to: deadline)
            restored.append(try await restore(receipt, body, from: account, at: address, within: time))
        }
        var answer = try await entitlements.signedBody(of: account, scope: scope, nonce: nonce)
        answer.receipts = restored
        return .json(bytes: try answer.json())
    }

    /// The outcome of one of several receipts; a refusal of that receipt alone is returned in its place.
    private func restore(
        _ receipt: String, _ body: RestoreBody, from account: AccountID, at address: IPAddress?, within time: Duration
    ) async throws -> EntitlementsBody.Restored {
        do {
            let answer = try await intake.accept(
                receipt, bundleID: body.bundleID, device: body.device, mayTransfer: body.mayTransfer ?? true,
                from: account, at: address, within: time)
            let conflict = answer.status == .conflict ? DenialReason.ownedByAnotherAccount.rawValue : nil
            return .init(
                receipt: answer.receipt, status: answer.status, reason: answer.reason ?? conflict,
                remedy: answer.remedy, finish: answer.finish, provisionalUntil: answer.provisionalUntil)
        } catch is VerificationUnavailable {
            return .init(receipt: "", status: .rejected, reason: Problem.busy.code, finish: false)
        } catch let problem as Problem {
            let isTooLarge = problem.status == .contentTooLarge
            return .init(
                receipt: problem.receipt ?? "", status: .rejected,
                reason: isTooLarge ? ReceiptRejection.Reason.unsupported.rawValue : problem.code, finish: false)
        }
    }

    /// Reads a body that holds receipts, and counts it as one before its first byte: an account that may send none now,
    /// or that has as many bodies in progress as it may send receipts, makes the server buffer nothing. The hash and
    /// length of a body that cannot be decoded are recorded, so that a player who says "I sent it" can be told what
    /// arrived.
    private func read<Body: JSONRequestBody>(
        _ type: Body.Type, _ request: Request, _ context: ServerContext
    ) async throws -> Body {
        let account = try context.account
        try limiter.consume(for: account, at: decisions.clock())
        let bytes: ByteBuffer
        do {
            bytes = try await request.wholeBody(Body.limits, context)
        } catch is BodySizeError {
            let announced = request.headers[.contentLength].flatMap { Int($0) }
            await intake.recordRefusal(ofUnread: announced, "body too large", from: account)
            throw Problem.receiptTooLarge
        } catch let problem as Problem {
            limiter.release(for: account)
            throw problem
        }
        do {
            return try await LargeBodies.shared.run(bytes: bytes.readableBytes) {
                try JSONCoding.decode(type, from: bytes)
            }
        } catch let problem as Problem where problem.status == .badRequest {
            await intake.recordRefusal(of: bytes, "body not readable", from: account)
            throw problem
        } catch let problem as Problem {
            limiter.release(for: account)
            throw problem
        }
    }
}

private struct PendingBody: Encodable {
    var receipt: String
    var status = ReceiptAnswer.Status.pending
    var finish = false
    var reason: String?
    var provisionalUntil: Date?
}

extension SendingDevice {
    package init(_ identifier: DeviceIdentifier?, _ verificationID: String?) {
        self.init(identifier: identifier, verificationID: verificationID.flatMap(UUID.init(uuidString:)))
    }
}

/// A receipt, and what the app sends along with it.
struct PostBody: JSONRequestBody {
    static let limits = BodyLimits.receipt

    var receipt: String
    var bundleID: BundleID?
    var deviceIdentifier: DeviceIdentifier?
    /// `AppStore.deviceVerificationID`; a string that is no UUID matches no transaction, and is not refused.
    var deviceVerificationID: String?
    var mayTransfer: Bool?

    var device: SendingDevice { SendingDevice(deviceIdentifier, deviceVerificationID) }
}

/// The receipts that a device has.
struct RestoreBody: JSONRequestBody {
    static let limits = BodyLimits.restore

    var receipts: [String]?
    var bundleID: BundleID?
    /// The environment whose balances are meant; `nil` for Production.
    var environment: String?
    var deviceIdentifier: DeviceIdentifier?
    var deviceVerificationID: String?
    var mayTransfer: Bool?

    var device: SendingDevice { SendingDevice(deviceIdentifier, deviceVerificationID) }
}

extension BodyLimits {
    /// One receipt and the members beside it.
    package static let receipt = BodyLimits(
        maximumBytes: Limits.receiptBodyBytes, maximumTime: Limits.bodyTime, json: JSONLimits(maximumMembers: 1_000))
    /// ``/ServerHTTP/Limits/receiptsPerRestore`` receipts; the limit of members is higher, so that a few receipts too
    /// many are told apart from a body that cannot be read.
    package static let restore = BodyLimits(
        maximumBytes: Limits.restoreBodyBytes, maximumTime: Limits.bodyTime, json: JSONLimits(maximumMembers: 2_000))
}
