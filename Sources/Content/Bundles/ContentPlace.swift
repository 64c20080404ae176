package import Foundation
package import ObjectStore

/// The configured location of content: a folder or a bucket.
package enum ContentPlace: Sendable {
    /// The path of the content folder.
    case folder(String)
    /// A bucket of an object store.
    case bucket(ObjectClient)

    /// Opens the content repository for reading, in its present state.
    ///
    /// - Parameters:
    ///   - isWatched: whether a folder is scanned only if the kernel reports that it was changed.
    ///   - published: what earlier servers published from folders made by hand.
    ///   - clock: gives the true time; links into a bucket are signed with it.
    /// - Throws: ``ContentRefusal``, with the path to each error.
    package func open(
        isWatched: Bool = true, published: [Manifest] = [], at date: Date, clock: @escaping @Sendable () -> Date
    ) async throws(ContentRefusal) -> any ContentRepository {
        switch self {
        case .folder(let path):
            try await FolderRepository(path: path, isWatched: isWatched, published: published, at: date)
        case .bucket(let client): try await BucketRepository(client, clock: clock)
        }
    }
}

extension ContentPlace: CustomStringConvertible {
    /// The location as it is written in settings.
    package var description: String {
        switch self {
        case .folder(let path): path
        case .bucket(let client): client.bucket.description
        }
    }
}

/// The error of a start: the content folder or the bucket has problems.
package struct ContentRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// All problems that were found; at least one.
    package var problems: [ContentError]

    package init(_ problems: [ContentError]) { self.problems = problems }

    /// One line: the first problem, and how many more there are.
    package var description: String {
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return (problems.first?.description ?? "content rejected") + more
    }
}
