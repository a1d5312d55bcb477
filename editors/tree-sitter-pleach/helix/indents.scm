; Indentation in Helix, which has names of its own for it.

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
] @indent

[
  "}"
  ")"
] @outdent
