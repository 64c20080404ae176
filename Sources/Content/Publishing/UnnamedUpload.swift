import SystemPackage

/// An upload of a file into the content repository whose hash is known only when its bytes have arrived. All methods
/// block.
package struct UnnamedUpload: Sendable {
    let file: FileDescriptor
    let path: FilePath
    let store: RepositoryFolder

    /// Appends bytes at the offset.
    ///
    /// - Throws: ``UploadRefusal``
    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(UploadRefusal) {
        let maximum = VersionScan.maximumFileBytes
        guard offset >= 0, offset <= maximum, bytes.count <= maximum - offset else { throw .tooLong }
        do {
            try file.writeAll(toAbsoluteOffset: Int64(offset), bytes)
        } catch {
            throw .notWritable("\(error)")
        }
    }

    /// Moves the file into the content repository, under its hash. If no version ever names it, it is removed as
    /// garbage.
    ///
    /// - Throws: ``UploadRefusal``
    package func finish() throws(UploadRefusal) -> (sha256: String, size: Int) {
        do {
            let stamp = FileStamp(try file.stat())
            let sha256 = try FileDigest.sha256(of: path, stamp: stamp)
            try file.finish(.nobodyWrites)
            try ObjectFolder(store: store).add(path, as: sha256)
            return (sha256, stamp.size)
        } catch {
            throw .notWritable("\(error)")
        }
    }

    /// Removes the file if it was not finished, and closes it.
    package func close() {
        try? file.close()
        try? path.remove()
    }
}
