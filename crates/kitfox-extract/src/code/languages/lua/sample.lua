local M = {}

--- How many values fit.
local CAPACITY = 1024
local a, b = 1, 2
M.version = "1.0"

---@class Store
---@field values table
local Store = {}
Store.__index = Store

--- Makes a store.
---@param values table
---@return Store
function Store.new(values)
  return setmetatable({ values = values }, Store)
end

-- Finds a value.
function Store:get(key)
  return self.values[key]
end

local function count(store)
  local n = 0
  for _ in pairs(store.values) do n = n + 1 end
  return n
end

M.count = function(store)
  return count(store)
end

local visit = function(store, visitor)
  visitor(store)
end

M.config = {
  limit = 10,
  on_change = function(value)
    print(value)
  end,
}

function M.a.b.deep() end
function global() end

describe("store", function()
  it("finds values", function()
    assert.equals(1, Store.new({ a = 1 }):get("a"))
  end)
end)

return M
