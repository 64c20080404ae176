/// How far a folder has been published.
package struct PublishingProgress: Hashable, Sendable {
    package enum Step: Hashable, Sendable {
        /// Every file is read and hashed.
        case reading
        /// What the store lacks is copied.
        case writing
        /// Patches and smaller forms are made and proved; the bytes are those of the files, each as far as the work on it
        /// is.
        case compressing
    }

    package var step: Step
    /// Bytes.
    package var done = 0
    /// Bytes; nil where it is not known yet.
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
