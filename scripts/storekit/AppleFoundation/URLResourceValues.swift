// What Foundation has on Apple's systems and not on Linux.
public import Foundation

extension URLResourceKey {
    /// https://developer.apple.com/documentation/foundation/urlresourcekey/volumeavailablecapacityforimportantusagekey
    @available(iOS 11.0, macOS 10.13, visionOS 1.0, *)
    public static let volumeAvailableCapacityForImportantUsageKey = URLResourceKey(rawValue: "")
}

extension URLResourceValues {
    /// https://developer.apple.com/documentation/foundation/urlresourcevalues/volumeavailablecapacityforimportantusage
    @available(iOS 11.0, macOS 10.13, visionOS 1.0, *)
    public var volumeAvailableCapacityForImportantUsage: Int64? { fatalError() }
}

extension FileManager {
    /// https://developer.apple.com/documentation/foundation/filemanager/containerurl(forsecurityapplicationgroupidentifier:)
    @available(iOS 7.0, macOS 10.8, visionOS 1.0, *)
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? { fatalError() }
}
