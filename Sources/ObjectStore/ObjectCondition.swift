/// When an object is written.
package enum ObjectCondition: Hashable, Sendable {
    /// Whatever is there.
    case always
    /// Where there is none of the key (`If-None-Match: *`).
    case absent
    /// Where the object has this tag (`If-Match`).
    case unchanged(etag: String)
}
