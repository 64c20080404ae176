/// The data is not a receipt.
struct ReceiptDataError: Error {}
