-- Neovim with `pleach lsp` and the tree-sitter grammar.
--
--     nvim --headless --clean -l editors/tests/neovim.lua
--
-- The commands `pleach` and `cc` must be in `PATH`. The language server is set up by the lines of the
-- book, and used by the functions behind the keys of Neovim.

local editors = vim.fs.dirname(vim.fs.dirname(vim.fs.abspath(debug.getinfo(1, "S").source:sub(2))))
local PATIENCE = 60000

local GUARD = [[
action attack()
action walk(post: int)
var ammo: int
tree guard
{
	selector
	{
		while ammo > 0 { action attack }
		action wlak(3)
	}
}
]]
local TESTS = "tree guard.pleach\n\ntest walks\n\taction attack = running\n\ttick\n"

local function read(path)
  local file = assert(io.open(path))
  local text = file:read("*a")
  file:close()
  return text
end

local function write(path, text)
  local file = assert(io.open(path, "w"))
  file:write(text)
  file:close()
end

--- Waits until something is true.
local function wait(what, is)
  assert(vim.wait(PATIENCE, is, 10), what .. " does not come")
end

local function equal(found, expected)
  local message = ("found:\n%s\nexpected:\n%s"):format(vim.inspect(found), vim.inspect(expected))
  assert(vim.deep_equal(found, expected), message)
end

local function text(buffer)
  return table.concat(vim.api.nvim_buf_get_lines(buffer or 0, 0, -1, true), "\n") .. "\n"
end

--- Moves the cursor to the first letter of a word.
local function go(word)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search("\\V" .. word, "cW") > 0, word .. " is not there")
end

--- Opens a file of a new folder, and waits for the server.
local function open(guard)
  local folder = vim.fn.tempname()
  vim.fn.mkdir(folder .. "/.git", "p")
  write(folder .. "/guard.pleach", guard)
  write(folder .. "/guard.test", TESTS)
  vim.cmd.edit(folder .. "/guard.pleach")
  wait("the server", function() return #vim.lsp.get_clients({ bufnr = 0 }) == 1 end)
  return folder
end

local function codes()
  return vim.tbl_map(function(it) return it.code end, vim.diagnostic.get(0))
end

local function errors()
  wait("the error", function() return vim.deep_equal(codes(), { "E0611" }) end)
  return vim.diagnostic.get(0)
end

local steps = {}

function steps.findings_follow_the_text()
  open(GUARD)
  local found = errors()[1]
  equal({ found.lnum, found.col, found.end_col }, { 8, 9, 13 })
  assert(found.message:find("did you mean `walk`"), found.message)
  vim.cmd("%s/wlak/walk/")
  wait("an empty list", function() return #codes() == 0 end)
end

function steps.completion_knows_what_fits()
  open(GUARD)
  go("wlak")
  local params = vim.lsp.util.make_position_params(0, vim.lsp.get_clients({ bufnr = 0 })[1].offset_encoding)
  local answers = assert(vim.lsp.buf_request_sync(0, "textDocument/completion", params, PATIENCE))
  local items = {}
  for _, answer in pairs(answers) do
    vim.list_extend(items, answer.result.items or answer.result)
  end
  local labels = vim.tbl_map(function(it) return it.label end, items)
  table.sort(labels)
  equal(labels, { "attack", "walk" })
end

function steps.rename_reaches_all_files()
  local folder = open(GUARD)
  go("attack }")
  vim.lsp.buf.rename("strike")
  wait("the new name", function() return text() == (GUARD:gsub("attack", "strike")) end)
  equal(text(vim.fn.bufnr(folder .. "/guard.test")), (TESTS:gsub("attack", "strike")))
end

function steps.actions_mend_and_change()
  open(GUARD)
  errors()
  go("wlak")
  local function choose(title)
    vim.lsp.buf.code_action({ apply = true, filter = function(it) return it.title == title end })
  end
  choose("Change to `walk`")
  local mended = GUARD:gsub("wlak", "walk")
  wait("the near name", function() return text() == mended end)
  go("walk(3)")
  choose("Wrap in `invert`")
  local wrapped = mended:gsub("action walk%(3%)", "invert { %0 }")
  wait("the new node", function() return text() == wrapped end)
end

function steps.formatting_keeps_the_rest()
  open((GUARD:gsub("\tselector", "   selector")))
  go("attack }")
  local cursor = vim.api.nvim_win_get_cursor(0)
  vim.lsp.buf.format({ timeout_ms = PATIENCE })
  equal(text(), GUARD)
  equal(vim.api.nvim_win_get_cursor(0), cursor)
end

function steps.words_have_colors()
  local grammar = editors .. "/tree-sitter-pleach"
  local parser = vim.fn.tempname() .. ".so"
  local source = grammar .. "/src"
  local done = vim.system({ "cc", "-shared", "-fPIC", "-I", source, source .. "/parser.c", "-o", parser }):wait()
  assert(done.code == 0, done.stderr)
  assert(vim.treesitter.language.add("pleach", { path = parser }))
  for name in vim.fs.dir(grammar .. "/queries") do
    vim.treesitter.query.parse("pleach", read(grammar .. "/queries/" .. name))
  end
  local query = vim.treesitter.query.parse("pleach", read(grammar .. "/queries/highlights.scm"))
  local root = vim.treesitter.get_string_parser(GUARD, "pleach"):parse()[1]:root()
  assert(not root:has_error(), root:sexpr())
  local colors = {}
  for id, node in query:iter_captures(root, GUARD) do
    local word = vim.treesitter.get_node_text(node, GUARD)
    colors[word] = query.captures[id]
  end
  equal({ colors.tree, colors.attack, colors["3"] }, { "keyword", "function", "number" })
end

local setup = read(vim.fs.dirname(editors) .. "/book/src/editor.md"):match("```lua\n(.-)```")
assert(load(assert(setup, "the book has no lines for Neovim")))()
vim.cmd("filetype on")

local ended = {}
vim.lsp.config("pleach", { on_exit = function(code) ended[code] = true end })

--- Ends all sessions. Files are closed between the two messages that end a session.
local function finish()
  vim.lsp.stop_client(vim.lsp.get_clients())
  vim.cmd("silent %bwipeout!")
  wait("the end", function() return #vim.lsp.get_clients() == 0 end)
  equal(vim.tbl_count(ended), ended[0] and 1 or 0)
end

local failed = 0
for name, step in vim.spairs(steps) do
  local is_fine, why = xpcall(function() step() finish() end, debug.traceback)
  failed = failed + (is_fine and 0 or 1)
  io.stdout:write((is_fine and "ok      %s\n" or "FAILED  %s: %s\n"):format(name, why))
end
os.exit(failed == 0 and 0 or 1)
