/// The data is not a receipt.
struct UnreadableReceipt: Error {}
