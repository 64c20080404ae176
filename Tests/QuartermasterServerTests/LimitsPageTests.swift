import Crypto
import Foundation
import InAppPurchase
import Ledger
import LedgerPostgres
import NIOCore
import ServerTestSupport
import StoreClient
import StrictJSON
import Testing

@testable import AdminPages
@testable import AppStore
@testable import AppStoreService
@testable import CommandLine
@testable import Content
@testable import LedgerSQL
@testable import ServerCore
@testable import ServerHTTP

/// The numbers in docs/operate/limits.md that are not settings are those of the code.
@Suite struct LimitsPageTests {
    @Test func `Every limit on the limits page is that of the code`() throws {
        let tables = try DocumentedTable.all(in: "docs/operate/limits.md").filter { $0.columns == ["limit", "value"] }
        let rows = tables.flatMap(\.rows).map { ($0["limit"] ?? "", $0["value"] ?? "") }
        let documented = Dictionary(rows) { first, _ in first }
        #expect(documented.count == rows.count)
        let limits = Self.connections.merging(Self.bodies) { first, _ in first }
            .merging(Self.ledger) { first, _ in first }.merging(Self.content) { first, _ in first }
        #expect(Set(documented.keys).symmetricDifference(limits.keys) == [])
        for (limit, value) in limits { #expect(documented[limit] == value, "\(limit)") }
    }

    private static let connections: [String: String] = [
        "Connections of one server; those above wait to be accepted": number(Limits.connections),
        "Time for a small body": time(Limits.smallBodyTime),
        "Time after SIGTERM for what is being answered": time(Limits.shutdownTime),
        "Time until a connection is closed after its last answer, while nothing comes": time(Limits.lingerTime),
        "Time for which what comes after the last answer is discarded": time(Limits.maximumLingerTime),
        "Bytes after the last answer that are discarded": bytes(Limits.maximumLingerBytes),
        "Size of a request's header": bytes(Limits.headerBytes),
        "Size of a header field": bytes(Limits.headerFieldBytes),
        "Header fields of a request": number(Limits.headerFields),
    ]

    private static let bodies: [String: String] = [
        "A receipt": bytes(Receipt.maximumSize),
        "A body with one receipt": bytes(BodyLimits.receipt.maximumBytes),
        "A signed transaction": bytes(SignedTransactionVerifier.maximumSize),
        "A restore": bytes(BodyLimits.restore.maximumBytes),
        "Receipts in a restore": number(Limits.receiptsPerRestore),
        "A signed notification": bytes(NotificationVerifier.maximumSize),
        "A product's entry": bytes(BodyLimits.product.maximumBytes),
        "The settings of an app": bytes(BodyLimits.app.maximumBytes),
        "A manifest of a version that is uploaded": bytes(BodyLimits.manifest.maximumBytes),
        "A list of accounts that are given something": bytes(BodyLimits.accounts.maximumBytes),
        "Lines of a list of accounts": number(AccountList.maximumLines),
        "Any other body": bytes(BodyLimits.small.maximumBytes),
        "Levels of a JSON document": number(JSONLimits.maximumDepth),
        "JSON members and elements of a body": number(BodyLimits.receipt.json.maximumMembers),
        "JSON members and elements of a restore": number(BodyLimits.restore.json.maximumMembers),
        "JSON members and elements of a product's entry": number(BodyLimits.product.json.maximumMembers),
        "JSON members and elements of a notification": number(BodyLimits.notification.json.maximumMembers),
        "JSON members and elements of a manifest": number(BodyLimits.manifest.json.maximumMembers),
        "JSON members and elements of a list of accounts": number(BodyLimits.accounts.json.maximumMembers),
        "Memory for bodies in transit": bytes(BodyBudget.maximumLargeBytes + BodyBudget.maximumSmallBytes),
        "Memory for bodies in transit up to that size of one address": bytes(BodyBudget.maximumSmallBytesPerAddress),
        "Bodies in transit above that size of one account": number(BodyBudget.largeBodiesPerAccount),
        "Bytes a second of a body above that size, at least, after \(time(BodyBudget.gracePeriod))":
            bytes(BodyBudget.slowestRate),
        "Bytes a second of such a body below which it ends if there is no room for another":
            bytes(BodyBudget.slowRate),
        "Bytes a second with which one such body of each address goes on all the same": bytes(BodyBudget.sparedRate),
        "Memory for bodies in transit above the size of any other body": bytes(BodyBudget.maximumLargeBytes),
        "Memory for bodies in transit above that size of one address": bytes(BodyBudget.maximumLargeBytesPerAddress),
        "Memory for answers above 64 KiB that are not sent yet": bytes(UnsentBudget.maximumBytes),
        "Memory for answers above 64 KiB of one address that are not sent yet":
            bytes(UnsentBudget.maximumBytesPerAddress),
        "Time that such an answer may be unread while others need its memory": time(UnsentBudget.maximumStall),
        "Characters of an Idempotency-Key": number(Limits.idempotencyKeyCharacters),
        "Characters of an Idempotency-Key of a new account, at least": number(Limits.minimumAccountKeyCharacters),
        "Different characters of such a key, and different steps between neighbours, at least":
            number(Limits.minimumAccountKeyVariety),
    ]

    private static let ledger: [String: String] = [
        "Characters of an external ID": number(ExternalID.maximumCharacters),
        "Notes on an account": number(AccountNote.maximumOfAccount),
        "Characters of a note": number(AccountNote.maximumCharacters),
        "Writes that wait for the ledger; beyond it 503 storage_unavailable": number(WriteQueue.length),
        "Writes in one commit": number(WriteQueue.maximumBatch),
        "Connections to PostgreSQL for reads, besides one for writes": number(PostgresLimits().readers),
        "Time for which a request for a new account can be repeated with its key": time(NewAccount.keyLifetime),
        "Repetitions of a request for a new account": number(NewAccount.maximumRepeats),
        "Time by which the App Store's clock may be ahead; beyond it a receipt waits":
            time(SignedDataVerifier.clockSkew),
        "Time for which a transaction ID is asked about that the App Store does not know":
            time(RetryPlan.notFoundWaits.reduce(0, +)),
        "Time between two questions about a transaction ID that was not found": time(HourlyQuestions.interval),
        "Receipts of one account that wait for the App Store, without transaction IDs":
            number(PendingReceipt.maximumPending),
        "Transaction IDs of one account that wait for the App Store": number(PendingReceipt.maximumTransactionIDs),
        "Transaction IDs of one address that wait for the App Store":
            number(PendingReceipt.maximumTransactionIDsPerAddress),
        "Transaction IDs in all that wait for the App Store": number(PendingReceipt.maximumTransactionIDsInAll),
        "Questions about receipts at the same time": number(StoreTurns.receiptLimits.total),
        "Questions about receipts at the same time, of one address": number(StoreTurns.receiptLimits.perAddress),
        "Questions about receipts at the same time, of one account": number(StoreTurns.receiptLimits.perAccount),
        "Questions about transaction IDs at the same time": number(StoreTurns.transactionIDLimits.total),
        "Questions about transaction IDs at the same time, of one address":
            number(StoreTurns.transactionIDLimits.perAddress),
        "Questions about transaction IDs at the same time, of one account":
            number(StoreTurns.transactionIDLimits.perAccount),
        "Questions about receipts, and as many about transaction IDs, that wait for their turn":
            number(StoreTurns.transactionIDLimits.waiting),
        "Connections to one host of the App Store": number(HTTPClientService.connectionsPerHost),
        "Messages of unknown signers that wait to be verified":
            number(ChainVerificationQueue<P256.Signing.PublicKey>.maximumQueue),
        "Signers of the App Store that are kept in the ledger": number(KnownSigners.maximum),
        "Requests to the App Store Server API that wait": number(RequestPacer<RateLimitKey>.queueLength),
        "Time for the App Store's answer while the player waits": time(Limits.firstAttempt),
        "Time for the App Store's answer before an introductory offer is signed": time(Limits.offerQuestion),
        "Time for the App Store's answer about the refunds of an old purchase": time(Limits.refundQuestion),
        "Age of a purchase, new to the server, whose refunds are asked for": time(ReceiptIntake.oldPurchase),
        "Failures in a row that open the circuit breaker": number(CircuitBreaker.failuresToOpen),
        "Time between two requests while the circuit breaker is open": time(CircuitBreaker.probeInterval),
        "Time for which the App Store is asked again to finish or to rename a purchase": time(StoreTask.lifetime),
        "Time after which a test notification counts as lost": time(Overview.maximumTestDelay),
        "Apps whose store is asked about an order": number(OrderLookup.maximumApps),
        "Time for the store's answer about an order": time(OrderLookup.time),
        "Transfers of an original transaction in 365 days": number(Claim.transfersPerWindow),
        "Age of evidence that transfers a purchase from the account that its token names": time(Claim.freshness),
        "Characters of an administrator's reason": number(SupportAct.maximumReasonCharacters),
        "Credits of one adjustment": number(Adjustment.maximumAmount),
        "Accounts in a page of the newest": number(FoundBody.maximumEntries),
        "Testers in a page": number(TesterListBody.maximumEntries),
        "Products given to an account without a purchase that stand at the same time":
            number(ProductGrant.maximumStanding),
        "Entries of each list in an account's report": number(AccountReport.maximumEntries),
        "Purchases or postings in a page of a player's history": number(HistoryRoutes.maximumEntries),
        "Postings that are read for such a page": number(PostingPage.maximumScanned),
        "Rows in a page of the audit trail": number(AuditRoutes.maximumRows),
        "Rows of the audit trail that a filtered page looks at": number(AuditFilter.maximumLookedAt),
        "Entries in a page of pending or rejected receipts": number(ReceiptListBody.maximumEntries),
        "Entries of each list in a page of deliveries": number(DeliveryListBody.maximumEntries),
        "Bundles in a page of the operator's list": number(AdminBundleListBody.maximumEntries),
        "Stored receipts or notifications in a page that is read for facts after an upgrade":
            number(BackfillPage.maximumItems),
        "Bytes after which such a page ends": bytes(BackfillPage.maximumBytes),
        "Products in a report of unavailable ones": number(Limits.unavailableProductsPerReport),
        "Addresses that are counted for an unavailable product and day": number(UnavailableProduct.maximumAddresses),
        "Reports of unavailable products that are stored of one day, by product and address":
            number(UnavailableProduct.maximumRowsPerDay),
        "Days for which reports of unavailable products are stored": number(UnavailableProduct.storedDays),
        "Days of a report of purchases, subscriptions or refunds": number(ReportQuery.maximumDays),
    ]

    private static let content: [String: String] = [
        "Time that a link is valid": time(GrantSigner.lifetime),
        "Time that a link may be asked to be valid, at most": time(TimeInterval(LinkLifetime.bounds.upperBound)),
        "Time that a link to an object store is valid": time(TimeInterval(BucketRepository.linkLifetime)),
        "A file": bytes(VersionScan.maximumFileBytes),
        "Files of a version": number(FolderListing.maximumEntries),
        "Languages of a version": number(ManifestCheck.maximumLanguages),
        "Folders in the content folder that are watched; with more it is scanned every two seconds":
            number(FolderWatch.maximumFolders),
        "Time between two scans of a content folder in which nothing changes": time(FolderWatch.scanInterval),
        "A version that is uploaded in a form": bytes(VersionUploadPages.maximumBytes),
        "Files and fields of such a form": number(MultipartParser.maximumParts),
        "Uploads that are begun at a time": number(ContentUploads.maximumPartials),
        "Versions from which patches are made, at most": number(PatchExtent.maximumVersions),
        "Product lists in memory that a query narrows, counted in each content coding":
            number(NarrowedLists.maximumLists),
        "Memory for product lists that a query narrows": bytes(NarrowedLists.maximumBytes),
        "Characters of an app's notice": number(AppListing.maximumNoticeCharacters),
        "Placements of an app": number(AppListing.maximumPlacements),
        "Variants of a placement": number(Placement.maximumVariants),
        "Characters of a placement's name": number(AppListing.maximumPlacementCharacters),
    ]

    /// 10000 as `10,000`.
    private static func number(_ value: Int) -> String {
        String(value).reversed().enumerated().reduce(into: "") { text, digit in
            text = String(digit.element) + (digit.offset > 0 && digit.offset % 3 == 0 ? "," : "") + text
        }
    }

    private static func bytes(_ value: Int) -> String {
        for (unit, shift) in [("GiB", 30), ("MiB", 20)] where value >= 1 << shift && value % (1 << shift) == 0 {
            return "\(number(value >> shift)) \(unit)"
        }
        return "\(number(value >> 10)) KiB"
    }

    private static func time(_ seconds: TimeInterval) -> String {
        let seconds = Int(seconds)
        if seconds % 3_600 == 0 { return "\(seconds / 3_600) h" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds) s"
    }

    private static func time(_ amount: TimeAmount) -> String { time(TimeInterval(amount.nanoseconds / 1_000_000_000)) }

    private static func time(_ duration: Duration) -> String { time(TimeInterval(duration.components.seconds)) }
}
