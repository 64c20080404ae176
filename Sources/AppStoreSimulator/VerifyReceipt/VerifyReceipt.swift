import Foundation
import InAppPurchase
import StrictJSON

/// Serves `verifyReceipt`: recognizes its own receipts by their signatures, and responds with the present state of the
/// purchases in them.
struct VerifyReceipt: Sendable {
    var counter: Counter

    private var key: ReceiptKey { counter.receiptKey }
    private var book: PurchaseBook { counter.book }

    /// - Parameters:
    ///   - body: the body of the request.
    ///   - environment: the environment of the URL.
    func answer(to body: Data, in environment: Environment, at date: Date) async throws -> VerifyReceiptAnswer {
        do {
            return try await answer(
                to: try JSONBody.decode(VerifyReceiptRequest.self, from: body), in: environment, at: date)
        } catch is JSONError {
            return .status(ReceiptStatus.badRequest)
        } catch is DecodingError {
            return .status(ReceiptStatus.malformed)
        }
    }

    func answer(
        to request: VerifyReceiptRequest, in environment: Environment, at date: Date
    ) async throws -> VerifyReceiptAnswer {
        do {
            guard let receipt = request.receipt else { throw ReceiptDataError() }
            if receipt.isPropertyList { return try await transactionReceipt(receipt, in: environment, at: date) }
            return try await appReceipt(request, [UInt8](receipt), in: environment, at: date)
        } catch is ReceiptDataError {
            return .status(ReceiptStatus.malformed)
        }
    }

    private func appReceipt(
        _ request: VerifyReceiptRequest, _ octets: [UInt8], in environment: Environment, at date: Date
    ) async throws -> VerifyReceiptAnswer {
        guard let receipt = try readable({ try OwnAppReceipt(octets, key: key) }) else {
            return .status(ReceiptStatus.notAuthenticated)
        }
        guard receipt.environment == environment else { return .wrongEnvironment(receipt.environment) }
        let purchases = try await book.purchases(ofCustomer: receipt.customer)
        var answer = AppReceiptAnswer(
            receipt: receipt, appAppleID: await counter.numbers.number(of: receipt.app, in: environment),
            purchases: purchases, date: date, excludesOldTransactions: request.excludesOldTransactions ?? false)
        if let subscription = purchases.first(where: { $0.subscription != nil }) {
            answer.latestReceipt = try await counter.appReceipt(of: subscription.customer, at: date)
        }
        return answer.members
    }

    private func transactionReceipt(
        _ data: Data, in environment: Environment, at date: Date
    ) async throws -> VerifyReceiptAnswer {
        guard let id = try TransactionReceipt.transactionID(in: data, key: key) else {
            return .status(ReceiptStatus.notAuthenticated)
        }
        guard let outcome = try await book.outcome(of: id) else { return .status(ReceiptStatus.notAuthenticated) }
        let (purchase, newest) = (outcome.purchase, outcome.newest)
        guard purchase.transaction.environment == environment else {
            return .wrongEnvironment(purchase.transaction.environment)
        }
        return TransactionReceiptAnswer(
            purchase: purchase, newest: newest,
            appAppleID: await counter.numbers.number(of: purchase.transaction.app, in: environment),
            latestReceipt: try await counter.transactionReceipt(newest), date: date
        ).members
    }

    /// Decodes a receipt; any error of ASN.1 or a date makes it unreadable.
    private func readable(_ read: () throws -> OwnAppReceipt?) throws -> OwnAppReceipt? {
        do { return try read() } catch { throw ReceiptDataError() }
    }
}

extension VerifyReceiptAnswer {
    static func status(_ status: Int) -> VerifyReceiptAnswer { ["status": .integer(status)] }

    /// - Parameter environment: that of the receipt.
    static func wrongEnvironment(_ environment: Environment) -> VerifyReceiptAnswer {
        .status(environment == .production ? ReceiptStatus.isProduction : ReceiptStatus.isSandbox)
    }
}

extension Data {
    /// Whether the first character that is not white space opens a dictionary.
    fileprivate var isPropertyList: Bool { first { !Set(" \t\r\n".utf8).contains($0) } == UInt8(ascii: "{") }
}

/// The body of a request to `verifyReceipt` (Apple, requestBody). The shared secret is not checked.
struct VerifyReceiptRequest: Decodable {
    enum CodingKeys: String, CodingKey {
        case receiptData = "receipt-data"
        case excludesOldTransactions = "exclude-old-transactions"
    }

    var receiptData: String
    var excludesOldTransactions: Bool?

    /// The receipt's bytes; `nil` if it is not base64. Line breaks are ignored.
    var receipt: Data? { Data(base64Encoded: receiptData, options: .ignoreUnknownCharacters) }
}

/// The body of a response. Errors have a status and nothing else.
typealias VerifyReceiptAnswer = [String: JSONValue]
