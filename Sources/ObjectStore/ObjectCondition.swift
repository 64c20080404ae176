/// The condition under which an object is written.
package enum ObjectCondition: Hashable, Sendable {
    /// Unconditionally.
    case always
    /// If there is no object with the key (`If-None-Match: *`).
    case absent
    /// If the object has this entity tag (`If-Match`).
    case unchanged(etag: String)
}
