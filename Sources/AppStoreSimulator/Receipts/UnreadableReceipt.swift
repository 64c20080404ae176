/// It is no receipt at all.
struct UnreadableReceipt: Error {}
