// What of WidgetKit the pages in docs use. Widget and its configurations are SwiftUI's, and WidgetKit brings them along.
public import Foundation
public import SwiftUI

/// https://developer.apple.com/documentation/widgetkit/timelineentry
public protocol TimelineEntry {
    var date: Date { get }
}

/// https://developer.apple.com/documentation/widgetkit/timeline
public struct Timeline<EntryType: TimelineEntry> {
    /// https://developer.apple.com/documentation/widgetkit/timeline/init(entries:policy:)
    public init(entries: [EntryType], policy: TimelineReloadPolicy) { fatalError() }
}

/// https://developer.apple.com/documentation/widgetkit/timelinereloadpolicy
public struct TimelineReloadPolicy: Equatable, Sendable {
    /// https://developer.apple.com/documentation/widgetkit/timelinereloadpolicy/never
    public static let never = TimelineReloadPolicy()
    /// https://developer.apple.com/documentation/widgetkit/timelinereloadpolicy/after(_:)
    public static func after(_ date: Date) -> TimelineReloadPolicy { fatalError() }
}

/// https://developer.apple.com/documentation/widgetkit/timelineprovidercontext
public struct TimelineProviderContext {}

/// https://developer.apple.com/documentation/widgetkit/timelineprovider
public protocol TimelineProvider {
    associatedtype Entry: TimelineEntry
    /// https://developer.apple.com/documentation/widgetkit/timelineprovider/context
    typealias Context = TimelineProviderContext
    /// https://developer.apple.com/documentation/widgetkit/timelineprovider/placeholder(in:)
    func placeholder(in context: Context) -> Entry
    /// https://developer.apple.com/documentation/widgetkit/timelineprovider/getsnapshot(in:completion:)
    @preconcurrency func getSnapshot(in context: Context, completion: @escaping @Sendable (Entry) -> Void)
    /// https://developer.apple.com/documentation/widgetkit/timelineprovider/gettimeline(in:completion:)
    @preconcurrency func getTimeline(in context: Context, completion: @escaping @Sendable (Timeline<Entry>) -> Void)
}

/// https://developer.apple.com/documentation/swiftui/widgetconfiguration
@MainActor @preconcurrency
public protocol WidgetConfiguration {}

/// https://developer.apple.com/documentation/swiftui/widget
@MainActor @preconcurrency
public protocol Widget {
    associatedtype Body: WidgetConfiguration
    @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
}

/// https://developer.apple.com/documentation/widgetkit/staticconfiguration
@MainActor @preconcurrency
public struct StaticConfiguration<Content: View>: WidgetConfiguration {
    /// https://developer.apple.com/documentation/widgetkit/staticconfiguration/init(kind:provider:content:)
    public init<Provider: TimelineProvider>(
        kind: String, provider: Provider, @ViewBuilder content: @escaping (Provider.Entry) -> Content
    ) { fatalError() }
}

/// https://developer.apple.com/documentation/widgetkit/widgetcenter
public final class WidgetCenter: @unchecked Sendable {
    /// https://developer.apple.com/documentation/widgetkit/widgetcenter/shared
    public static let shared = WidgetCenter()
    /// https://developer.apple.com/documentation/widgetkit/widgetcenter/reloadalltimelines()
    public func reloadAllTimelines() { fatalError() }
}
