public import Dispatch

/// https://developer.apple.com/documentation/network/nwpathmonitor
@available(iOS 12.0, macOS 10.14, visionOS 1.0, *)
public final class NWPathMonitor {
    /// https://developer.apple.com/documentation/network/nwpathmonitor/init()
    public init() { fatalError() }
    /// https://developer.apple.com/documentation/network/nwpathmonitor/pathupdatehandler
    @preconcurrency public var pathUpdateHandler: (@Sendable (NWPath) -> Void)? {
        get { fatalError() }
        set { fatalError() }
    }
    /// https://developer.apple.com/documentation/network/nwpathmonitor/start(queue:)
    public func start(queue: DispatchQueue) { fatalError() }
    /// https://developer.apple.com/documentation/network/nwpathmonitor/cancel()
    public func cancel() { fatalError() }
}

/// https://developer.apple.com/documentation/network/nwpath
@available(iOS 12.0, macOS 10.14, visionOS 1.0, *)
public struct NWPath: Equatable, Sendable {
    /// https://developer.apple.com/documentation/network/nwpath/status-swift.property
    public let status: Status

    /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum
    public enum Status: Sendable {
        /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum/satisfied
        case satisfied
        /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum/unsatisfied
        case unsatisfied
        /// https://developer.apple.com/documentation/network/nwpath/status-swift.enum/requiresconnection
        case requiresConnection
    }
}
