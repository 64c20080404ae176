import Foundation
import Synchronization

/// The ports that were given out: nobody listens on one yet.
private let given = Mutex<Set<Int>>([])

/// A TCP port of the loopback interface that nobody listens on, and that no other caller is given.
///
/// It is below the ports used for outgoing connections: one of those may be taken before the caller listens.
package func freePort() throws -> Int {
    for _ in 1...100 {
        let port = Int.random(in: 20_000..<32_000)
        if given.withLock({ $0.insert(port).inserted }), canListen(on: port) { return port }
    }
    throw POSIXError(.EADDRINUSE)
}

private func canListen(on port: Int) -> Bool {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = UInt16(clamping: port).bigEndian
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
        }
    }
}
