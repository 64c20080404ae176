public import Foundation

/// The store on the device: the App Store, or a simulated one.
///
/// It sells, and hands over signed transactions. The server decides what they are worth.
public protocol PurchaseSource: Sendable {
    /// The products as the store shows them. Those that it does not know are left out.
    func products(_ ids: [String]) async throws -> [SourceProduct]
    /// Buys a product for an account: its ID becomes the transaction's `appAccountToken`.
    ///
    /// - Throws: ``ProductUnavailable``, or what the store throws. Nothing was bought then, as far as the store knows.
    func purchase(_ id: String, for account: UUID, quantity: Int) async throws -> PurchaseOutcome
    /// Each unfinished transaction and each new one, until the reader ends. A transaction may come more than once.
    /// There is one reader, for the life of the process.
    var updates: AsyncStream<SignedTransaction> { get }
    /// Each transaction of the customer, including finished ones, for a restore.
    func history() async throws -> [SignedTransaction]
    /// Tells the store that the transaction was delivered. Nothing happens the second time, or for an ID that the store
    /// does not know.
    func finish(_ id: String) async throws
    /// Reads the customer's transactions anew. It may ask the player for a password: call it only for a restore that
    /// the player asked for.
    func synchronize() async throws
    /// Whether the device may make payments.
    func canMakePayments() async -> Bool
    /// The country of the customer's storefront, ISO 3166-1 alpha-3; `nil` if the store does not say.
    func storefront() async -> String?
    /// A value for each change of the storefront, after which prices are others. There is one reader.
    var storefrontChanges: AsyncStream<Void> { get }
    /// The IDs of products that the player chose in the store itself. There is one reader.
    var promotedPurchases: AsyncStream<String> { get }
    /// The environment in which purchases are made, or `nil` if the store does not say. It is asked once a process, and
    /// may take its time.
    func environment() async -> StoreEnvironment?
    /// StoreKit's `deviceVerificationID`, or `nil` if the device has none.
    func deviceVerificationID() async -> UUID?
    /// The signed app transaction, a JWS, by which the server knows the customer; `nil` if there is none.
    func appTransaction() async -> String?
}

extension PurchaseSource {
    public func canMakePayments() async -> Bool { true }
    public func appTransaction() async -> String? { nil }
    public func storefront() async -> String? { nil }
    public var storefrontChanges: AsyncStream<Void> { AsyncStream { $0.finish() } }
    public var promotedPurchases: AsyncStream<String> { AsyncStream { $0.finish() } }
}

/// The store's answer to a purchase.
public enum PurchaseOutcome: Sendable, Equatable {
    /// The store accepted the purchase. The transaction is not finished yet.
    case purchased(SignedTransaction)
    /// Somebody has to approve it first (Ask to Buy), or the bank. Once approved, it arrives through
    /// ``PurchaseSource/updates``.
    case pending
    /// The player changed their mind.
    case cancelled
}
