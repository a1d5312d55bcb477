; Indentation in Neovim.

[
  (tree_block)
  (block)
  (child_block)
  (set_block)
  (enum_declaration)
  (arguments)
  (parameters)
  (policies)
  (parenthesized_expression)
] @indent.begin

[
  "}"
  ")"
] @indent.branch @indent.end

(comment) @indent.ignore
