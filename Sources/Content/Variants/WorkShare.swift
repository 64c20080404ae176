import InAppPurchase

/// Tells the work on one file, which is coded and decoded again in several ways, as a share of the file's bytes.
///
/// Not to be used by two threads at once.
final class WorkShare {
    /// A file is read once to code it, and comes out once to prove it.
    private static let passes = 2

    private let size: Int
    private let tell: (Int) -> Void
    private var ways = 0
    private var waysDone = 0
    /// In bytes of all passes of all ways.
    private var work = 0
    private var told = 0

    /// - Parameter tell: is given how many more of the file's bytes are done.
    init(of size: Int, tell: @escaping (Int) -> Void) {
        self.size = size
        self.tell = tell
    }

    func begin(ways: Int) { self.ways = ways }

    /// So many bytes of the file were coded, or came out again.
    func add(_ bytes: Int) { set(min(work.saturatingAdding(bytes), workOfWays(waysDone + 1))) }

    /// The next way begins, however much of this one was done.
    func endWay() {
        waysDone += 1
        set(workOfWays(waysDone))
    }

    /// All of the file counts as done.
    func finish() { tell(upTo: size) }

    private func workOfWays(_ count: Int) -> Int {
        let (work, isTooMuch) = size.multipliedReportingOverflow(by: Self.passes * min(count, ways))
        return isTooMuch ? .max : work
    }

    private func set(_ work: Int) {
        self.work = work
        if ways > 0 { tell(upTo: work / (ways * Self.passes)) }
    }

    private func tell(upTo share: Int) {
        guard share > told else { return }
        tell(share - told)
        told = share
    }
}
