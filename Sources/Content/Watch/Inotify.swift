import SystemPackage

#if canImport(Glibc)
    import Glibc

    /// The changes in watched folders that the kernel reports (inotify(7)). Nothing here waits.
    struct Inotify: Sendable {
        /// The size of the buffer in bytes: some hundreds of events.
        private static let bufferBytes = 64 << 10
        /// The maximum number of reads: more than the kernel's queue has room for. If events come faster than they are
        /// read, the rest is left for the next time.
        private static let maximumReads = 64
        /// The size of an event without the name that may follow it.
        private static let headerBytes = 16

        /// All that changes a folder's list of names or the bytes, size, time or permissions of what is in it.
        private static let events =
            IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVED_FROM | IN_MOVED_TO | IN_MOVE_SELF | IN_MODIFY
            | IN_CLOSE_WRITE | IN_ATTRIB | IN_ONLYDIR | IN_EXCL_UNLINK

        private let descriptor: FileDescriptor

        /// - Throws: the system's error if the user has as many instances as the system allows.
        init() throws(Errno) {
            let number = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
            guard number >= 0 else { throw Errno(rawValue: errno) }
            descriptor = FileDescriptor(rawValue: number)
        }

        /// Watches a folder, without the folders in it. Idempotent.
        ///
        /// - Parameter followsLink: whether the path may be a symbolic link to a folder.
        /// - Returns: the watch's number; the same for each path of one folder.
        /// - Throws: the system's error if there is no such folder, or the user has as many watches as the system
        ///   allows.
        func watch(_ folder: FilePath, followsLink: Bool = false) throws(Errno) -> Int32 {
            let mask = UInt32(truncatingIfNeeded: followsLink ? Self.events : Self.events | IN_DONT_FOLLOW)
            let watch = folder.withPlatformString { inotify_add_watch(descriptor.rawValue, $0, mask) }
            guard watch >= 0 else { throw Errno(rawValue: errno) }
            return watch
        }

        /// Ends a watch. Does nothing if the kernel has ended it because its folder is gone.
        func forget(_ watch: Int32) { _ = inotify_rm_watch(descriptor.rawValue, watch) }

        func close() { try? descriptor.close() }

        /// Reads the events since the last call.
        ///
        /// - Returns: whether anything has changed, or may have because the kernel's queue had no room for more events.
        func readChanges() throws -> Bool {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.bufferBytes, alignment: 8)
            defer { buffer.deallocate() }
            var hasChanges = false
            for _ in 0..<Self.maximumReads {
                do {
                    let count = try descriptor.read(into: buffer)
                    guard count > 0 else { return hasChanges }
                    hasChanges = hasChanges || Self.hasChanges(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                } catch Errno.wouldBlock {
                    return hasChanges
                }
            }
            return true
        }

        private static func hasChanges(_ events: UnsafeRawBufferPointer) -> Bool {
            var offset = 0
            while offset + headerBytes <= events.count {
                let mask = events.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
                // The end of a watch is no change: its folder's removal is an event of its own.
                if mask & UInt32(truncatingIfNeeded: IN_IGNORED) == 0 { return true }
                offset += headerBytes + Int(events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            }
            return false
        }
    }
#else
    /// A system without inotify(7).
    struct Inotify: Sendable {
        init() throws(Errno) { throw .notSupported }

        func watch(_ folder: FilePath, followsLink: Bool = false) throws(Errno) -> Int32 { throw .notSupported }
        func forget(_ watch: Int32) {}
        func close() {}
        func readChanges() throws -> Bool { throw Errno.notSupported }
    }
#endif
