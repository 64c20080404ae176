import CZstd

enum Zstd {
    /// - Throws: ``CodingError`` if the result of a libzstd function is an error.
    @discardableResult static func check(_ result: Int) throws(CodingError) -> Int {
        guard ZSTD_isError(result) == 0 else { throw .refused(String(cString: ZSTD_getErrorName(result))) }
        return result
    }
}
