import InAppPurchase

/// Reports the work on one file, which is encoded and decoded in several ways, as a share of the file's bytes.
///
/// Not to be used by two threads at once.
final class WorkShare {
    /// Each way reads the file once to encode it, and decodes it once to verify it.
    private static let passes = 2

    private let size: Int
    private let tell: (Int) -> Void
    private var ways = 0
    private var waysDone = 0
    /// The work done, in bytes of all passes of all ways.
    private var work = 0
    private var reported = 0

    /// - Parameter tell: called with how many more of the file's bytes are done.
    init(of size: Int, tell: @escaping (Int) -> Void) {
        self.size = size
        self.tell = tell
    }

    func begin(ways: Int) { self.ways = ways }

    /// Adds bytes of the file that were encoded or decoded.
    func add(_ bytes: Int) { set(min(work.saturatingAdding(bytes), workOfWays(waysDone + 1))) }

    /// Begins the next way, however much of the current one was done.
    func endWay() {
        waysDone += 1
        set(workOfWays(waysDone))
    }

    /// Reports all of the file as done.
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
        guard share > reported else { return }
        tell(share - reported)
        reported = share
    }
}
