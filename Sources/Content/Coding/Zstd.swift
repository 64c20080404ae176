import CZstd

enum Zstd {
    /// - Throws: ``CodingError`` where what a function of the library returned is an error.
    @discardableResult
    static func check(_ result: Int) throws(CodingError) -> Int {
        guard ZSTD_isError(result) == 0 else { throw .refused(String(cString: ZSTD_getErrorName(result))) }
        return result
    }
}
