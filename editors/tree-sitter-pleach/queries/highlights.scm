; Highlights, with the names of captures that Neovim, Helix and `tree-sitter highlight` share.
; If several patterns capture a node, the last one counts.

(comment) @comment

; Names

(identifier) @variable
(type_identifier) @type
(primitive_type) @type.builtin
(builtin) @function.builtin
(entity_type "entity" @type.builtin)

(parameter name: (identifier) @variable.parameter)
(constant_declaration name: (identifier) @constant)
(tunable_declaration name: (identifier) @constant)
((identifier) @constant
  (#match? @constant "^[A-Z][A-Z0-9_]*$"))

(enum_member name: (identifier) @constant)
(member_expression member: (identifier) @constant)
; The name of a vector stands before its parts, like that of an enum before its members.
((member_expression (type_identifier) @variable member: (identifier) @property)
  (#match? @property "^[xyz]$"))

(tree_definition name: (identifier) @function)
(action_declaration name: (identifier) @function)
(query_declaration name: (identifier) @function)
(event_handler name: (identifier) @function)

(use_node name: (identifier) @function)
(action_node name: (identifier) @function)
(raise_node name: (identifier) @function)
(call_expression function: (identifier) @function)
((call_expression function: (identifier) @function.builtin)
  (#match? @function.builtin "^(min|max|clamp|abs|sqrt|pow|logistic|smooth|curve|vec2|vec3|dot|length|distance)$"))

; Values

(integer) @number
(float) @number
(unit) @keyword
(boolean) @constant.builtin
(now) @constant.builtin
(none) @constant.builtin
(string) @string
(escape_sequence) @string.escape

; Words

[
  "action"
  "query"
  "var"
  "group"
  "world"
  "keep"
  "const"
  "tune"
  "agent"
  "in"
  "enum"
  "on"
  "out"
  "tree"
] @keyword

"include" @keyword

[
  "sequence"
  "selector"
  "reactive"
  "parallel"
  "succeed"
  "fail"
  "all"
  "any"
  "random"
  "utility"
  "once"
  "cleanup"
  "every"
  "set"
  "wait"
  "invert"
  "force"
  "cooldown"
  "timeout"
  "delay"
  "limit"
  "use"
  "raise"
  "to"
] @keyword

[
  "match"
  "else"
  "condition"
  "if"
  "while"
  "chance"
  "repeat"
  "retry"
  "until"
] @keyword

(status_node) @constant.builtin
(force_node status: _ @constant.builtin)
(until_node status: _ @constant.builtin)

; Signs

[
  "="
  "+="
  "-="
  "*="
  "/="
  "min="
  "max="
  "||"
  "&&"
  "=="
  "!="
  "<"
  "<="
  ">"
  ">="
  "+"
  "-"
  "*"
  "/"
  "%"
  "!"
] @operator

[
  "("
  ")"
  "{"
  "}"
] @punctuation.bracket

[
  ","
  ":"
  "."
  ".."
] @punctuation.delimiter
