import Foundation

/// How many values fit.
let capacity = 1024

/// What every store can do.
public protocol Store: AnyObject {
    associatedtype Value
    var size: Int { get }
    func get(_ key: String) async throws -> Value?
}

/**
 Keeps values in memory.
 */
@available(iOS 13, *)
public final class MemoryStore<Value>: Store {
    public static let shared = MemoryStore()
    private var values: [String: Value] = [:]

    public var size: Int {
        values.count
    }

    public init(values: [String: Value]) {
        self.values = values
    }

    deinit {
        print("gone")
    }

    /// Finds a value.
    @discardableResult
    public func get(_ key: String) async throws -> Value? {
        return values[key]
    }

    public subscript(key: String) -> Value? {
        get { values[key] }
    }

    enum State: String, CaseIterable {
        case open, closed = "shut"
        case failed(Error)

        var isOpen: Bool { self == .open }
    }
}

extension MemoryStore: CustomStringConvertible where Value: Hashable {
    public var description: String { "store" }

    struct Entry {
        let key: String
    }
}

public actor Registry {
    func register(_ store: any Store) {}
}

typealias Listener<T> = (T) -> Void

infix operator <+>: AdditionPrecedence
func <+> (left: Int, right: Int) -> Int { left + right }

// Counts what is kept.
func count<S: Store>(_ store: S) -> Int where S.Value: Equatable { store.size }

final class StoreTests: XCTestCase {
    func testValuesAreFound() throws {
        XCTAssertEqual(1, MemoryStore(values: ["a": 1]).size)
    }
}
