package import Basics

/// The database of accounts, receipts, purchases, credits and deliveries, in the roles that its users have.
///
/// Each method is one database transaction and keeps the ledger's rules: when it returns, either all of its changes are
/// durable or none. Purchases, postings and audit rows are never deleted. Implementations run the rules of
/// ``ReceiptRecorder`` and ``LedgerTransaction`` inside that transaction; one test suite runs against all of them.
///
/// Throws ``LedgerRefusal`` if a rule forbids the change, ``LedgerUnavailable`` if the database cannot be read or
/// written now.
package protocol Ledger:
    KeyValueStore, AccountLedger, ReceiptLedger, StoreLedger, DeliveryLedger, CatalogLedger, ReportLedger,
    SupportLedger,
    AdminTokenLedger, AuditLedger, LedgerMaintenance
{}
