// What URLSession has on Apple's systems and not on Linux.
public import Foundation
public import FoundationNetworking

extension URLSessionConfiguration {
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/background(withidentifier:)
    @available(iOS 8.0, macOS 10.10, visionOS 1.0, *)
    public static func background(withIdentifier identifier: String) -> URLSessionConfiguration { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlsessionconfiguration/sessionsendslaunchevents
    @available(iOS 7.0, macOS 11.0, visionOS 1.0, *)
    public var sessionSendsLaunchEvents: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}

extension URLRequest {
    /// https://developer.apple.com/documentation/foundation/urlrequest/allowsexpensivenetworkaccess
    @available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
    public var allowsExpensiveNetworkAccess: Bool {
        get { fatalError() }
        set { fatalError() }
    }
    /// https://developer.apple.com/documentation/foundation/urlrequest/allowsconstrainednetworkaccess
    @available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
    public var allowsConstrainedNetworkAccess: Bool {
        get { fatalError() }
        set { fatalError() }
    }
}

extension URLError {
    /// https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.enum
    @available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
    public enum NetworkUnavailableReason: Int, Sendable {
        case cellular
        case expensive
        case constrained
    }
    /// https://developer.apple.com/documentation/foundation/urlerror/networkunavailablereason-swift.property
    @available(iOS 13.0, macOS 10.15, visionOS 1.0, *)
    public var networkUnavailableReason: NetworkUnavailableReason? { fatalError() }
    /// https://developer.apple.com/documentation/foundation/urlerror/downloadtaskresumedata
    @available(iOS 11.0, macOS 10.13, visionOS 1.0, *)
    public var downloadTaskResumeData: Data? { fatalError() }
}
