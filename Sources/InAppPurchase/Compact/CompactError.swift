/// Bytes that are not of the compact form.
package struct CompactError: Error {
    package init() {}
}
