/// An answer for content that is of no use.
enum ContentRefusal: Error, Equatable {
    /// The link does not open the content, or the content is gone: the manifest has other links.
    case link
    /// The range is not in the file as the server has it.
    case range
    /// Bytes of another place than asked for, or encoded ones.
    case otherBytes
    /// More bytes than the file has.
    case tooLong
    /// Another status.
    case status(Int, retryAfter: Duration?)
}
