/// A standing that is stored in a compact form, as those of the standard handlers are. Others are stored as JSON.
///
/// A change of the form needs another ``CondensingHandler/standingVersion``.
package protocol CompactStanding {
    init(from reader: inout CompactReader) throws
    func write(to writer: inout CompactWriter)
}
