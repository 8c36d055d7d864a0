//! A store of values in memory.
const std = @import("std");
const Allocator = std.mem.Allocator;

/// How many values fit.
pub const capacity: usize = 1024;

/// Keeps values.
pub fn Store(comptime V: type) type {
    return struct {
        const Self = @This();

        values: std.StringHashMap(V),
        limit: usize = capacity,

        /// Makes a store.
        pub fn init(allocator: Allocator) Self {
            return .{ .values = std.StringHashMap(V).init(allocator) };
        }
    };
}

pub const Entry = struct {
    key: []const u8,
    hash: u64 = 0,

    /// Finds a value.
    pub fn get(self: *const Entry, key: []const u8) ?[]const u8 {
        if (std.mem.eql(u8, self.key, key)) return self.key;
        return null;
    }

    pub const State = enum { open, closed };
};

const Value = union(enum) {
    small: u8,
    large: u64,
};

pub const Error = error{ NotFound, Full };

extern "c" fn puts(s: [*:0]const u8) c_int;
export fn count() callconv(.C) u32 {
    return counter;
}

var counter: u32 = 0;

test "values are found" {
    try std.testing.expect(count() == 0);
}

test Store {
    _ = Store(u8);
}

test {
    std.testing.refAllDecls(@This());
}

comptime {
    _ = count;
}
