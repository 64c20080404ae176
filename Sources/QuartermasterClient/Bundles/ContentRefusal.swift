/// An unusable answer to a request for content.
enum ContentRefusal: Error, Equatable {
    /// The link does not open the content, or the content is gone: the manifest has other links.
    case link
    /// The range is not in the file as the server has it.
    case range
    /// The bytes are from another place than requested, or encoded.
    case otherBytes
    /// More bytes than the file has.
    case tooLong
    /// Another status.
    case status(Int, retryAfter: Duration?)
}
