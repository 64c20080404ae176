import QuartermasterClient

#if os(Linux)
    import QuartermasterZstd
#endif

/// Applies patches by libzstd on Linux; elsewhere changed files are downloaded whole.
enum Patches {
    #if os(Linux)
        static let decoder: (any PatchDecoder)? = ZstdPatchDecoder()
    #else
        static let decoder: (any PatchDecoder)? = nil
    #endif
}
