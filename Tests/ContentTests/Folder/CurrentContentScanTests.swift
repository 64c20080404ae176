import Foundation
import Testing

@testable import Content

/// A scan that hangs, as on a network disk, keeps later ones from seeing what was published.
@Suite struct CurrentContentScanTests {
    @Test func `A reload that gives up on a hanging scan reports it once`() async throws {
        let (began, ended) = (AsyncStream<Void>.makeStream(), AsyncStream<Void>.makeStream())
        let holder = CurrentContentScan(FolderScan(at: TemporaryFolder.later), attempts: 2) { scan, _ in
            began.continuation.yield()
            for await _ in ended.stream { break }
            return scan
        }
        for _ in 0..<2 {
            async let scan = holder.refresh(at: TemporaryFolder.later)
            for await _ in began.stream { break }
            let overdue = try await [
                holder.reload(at: TemporaryFolder.later).isOverdue, holder.reload(at: TemporaryFolder.later).isOverdue,
            ]
            #expect(overdue == [true, false])
            ended.continuation.yield()
            #expect(await scan == ContentChanges())
        }
    }
}
