/// A write of a group was refused that had no savepoint: the transaction is rolled back, and its writes are run again,
/// each with one.
struct RefusedInGroup: Error {}
