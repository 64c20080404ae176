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
