[
  (tree_block)
  (block)
  (child_block)
  (set_block)
  (enum_declaration)
  (comment)
] @fold
