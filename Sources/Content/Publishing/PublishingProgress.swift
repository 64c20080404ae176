/// The progress of publishing a folder.
package struct PublishingProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Every file is read and hashed.
        case reading
        /// Files that the content repository lacks are copied.
        case writing
        /// Patches and compressed variants are made and verified; the bytes are those of the files, in proportion to
        /// the work done.
        case compressing
    }

    package var step: Step
    /// The bytes done.
    package var done = 0
    /// The bytes in total; `nil` if it is not known yet.
    package var total: Int?

    package init(_ step: Step, total: Int? = nil) {
        self.step = step
        self.total = total
    }

    mutating func adding(_ bytes: Int) -> PublishingProgress {
        done += bytes
        return self
    }
}
