; A tree is a scope for its parameters and variables.

(tree_definition) @local.scope

(parameter name: (identifier) @local.definition)
(tree_block (variable_declaration name: (identifier) @local.definition))

(identifier) @local.reference
