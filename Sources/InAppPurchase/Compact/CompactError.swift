/// Bytes that are not in the compact form.
package struct CompactError: Error {
    package init() {}
}
