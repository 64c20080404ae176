/// The content folder is not as it must be for a start.
package struct ContentRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// All that was found; at least one.
    package var problems: [ContentProblem]

    package init(_ problems: [ContentProblem]) { self.problems = problems }

    /// One line: the first problem, and how many more there are.
    package var description: String {
        let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
        return (problems.first?.description ?? "content rejected") + more
    }
}
