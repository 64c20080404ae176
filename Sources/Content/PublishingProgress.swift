/// How far a folder has been published.
public struct PublishingProgress: Hashable, Sendable {
    public enum Step: Hashable, Sendable {
        /// Every file is read and hashed.
        case reading
        /// What the store lacks is copied.
        case writing
        /// Patches and smaller forms are made and proved; the bytes are those of the files, each as far as the work on it
        /// is.
        case compressing
    }

    public var step: Step
    /// Bytes.
    public var done = 0
    /// Bytes; nil where it is not known yet.
    public var total: Int?

    public init(_ step: Step, total: Int? = nil) { (self.step, self.total) = (step, total) }

    mutating func adding(_ bytes: Int) -> PublishingProgress {
        done += bytes
        return self
    }
}
