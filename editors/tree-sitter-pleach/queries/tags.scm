; Definitions and uses, for outlines and search by name.

(tree_definition name: (identifier) @name) @definition.function
(action_declaration name: (identifier) @name) @definition.interface
(query_declaration name: (identifier) @name) @definition.interface
(event_handler name: (identifier) @name) @definition.method
(enum_declaration name: (type_identifier) @name) @definition.type
(source_file (variable_declaration name: (identifier) @name) @definition.variable)
(constant_declaration name: (identifier) @name) @definition.constant
(tunable_declaration name: (identifier) @name) @definition.constant

(use_node name: (identifier) @name) @reference.call
(action_node name: (identifier) @name) @reference.call
(raise_node name: (identifier) @name) @reference.call
(call_expression function: (identifier) @name) @reference.call
