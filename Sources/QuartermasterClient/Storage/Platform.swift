#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// `rename(2)`, whose name `DurableFile.rename` hides.
func platformRename(_ source: UnsafePointer<CChar>, _ target: UnsafePointer<CChar>) -> Int32 { rename(source, target) }

/// Takes the exclusive lock of an open file without waiting (`flock(2)`).
func platformLock(_ descriptor: Int32) -> Bool { flock(descriptor, LOCK_EX | LOCK_NB) == 0 }

/// Releases the lock of an open file, whoever else has the file open: a program that is being started has it until it
/// runs (`flock(2)`).
func platformUnlock(_ descriptor: Int32) { _ = flock(descriptor, LOCK_UN) }

/// The bytes that are free for a process without privileges (`statvfs(3)`), or `nil` if the system does not tell.
func platformFreeBytes(_ path: UnsafePointer<CChar>) -> Int? {
    var status = statvfs()
    guard statvfs(path, &status) == 0 else { return nil }
    let (bytes, overflow) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? Int.max : Int(clamping: bytes)
}
