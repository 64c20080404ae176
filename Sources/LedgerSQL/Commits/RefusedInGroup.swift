/// The refusal of a write in a group that had no savepoint: the transaction is rolled back, and its writes are run
/// again, each with one.
struct RefusedInGroup: Error {}
