/**
 * Grammar of the language pleach for tree-sitter.
 *
 * `spec/dialects/pleach.md` is the definition of the language. This grammar accepts every text that the
 * compiler accepts, and some that it does not: types, ranges and names are left to the compiler.
 */

/// <reference types="tree-sitter-cli/dsl" />

/** Levels of operators. A higher one binds more tightly. */
const LEVEL = { or: 1, and: 2, equal: 3, compare: 4, sum: 5, product: 6, unary: 7, call: 8 };

/** Words that can never be names. */
const RESERVED = [
  'action', 'query', 'var', 'group', 'world', 'const', 'tune', 'enum', 'on', 'tree', 'include',
  'sequence', 'selector', 'reactive', 'parallel', 'succeed', 'fail', 'random', 'utility', 'match',
  'condition', 'if', 'while', 'chance', 'once', 'set', 'wait', 'success', 'failure', 'running',
  'invert', 'force', 'repeat', 'retry', 'until', 'cooldown', 'timeout', 'delay', 'limit', 'cleanup', 'every',
  'use', 'raise', 'else', 'true', 'false', 'now', 'bool', 'int', 'float', 'int8', 'uint8', 'int16',
  'uint16', 'int64', 'double', 'entity', 'none',
];

/** Returns a list with commas between its elements. */
const list = (rule) => seq(rule, repeat(seq(',', rule)));

/** Returns arguments or parameters in parentheses, which may be empty. */
const parenthesized = (rule) => seq('(', optional(list(rule)), ')');

module.exports = grammar({
  name: 'pleach',

  word: $ => $.identifier,
  extras: $ => [/\s/, $.comment],
  supertypes: $ => [$._declaration, $._node, $._expression],
  reserved: { global: _ => RESERVED },

  rules: {
    source_file: $ => repeat($._declaration),

    comment: _ => token(choice(
      seq('//', /[^\n]*/),
      seq('/*', /[^*]*\*+([^/*][^*]*\*+)*/, '/'),
    )),

    // Declarations.

    _declaration: $ => choice(
      $.include,
      $.action_declaration,
      $.query_declaration,
      $.variable_declaration,
      $.constant_declaration,
      $.tunable_declaration,
      $.enum_declaration,
      $.event_handler,
      $.tree_definition,
    ),

    include: $ => seq('include', field('path', $.string)),

    action_declaration: $ => seq('action', field('name', $.identifier), optional(field('parameters', $.parameters))),

    query_declaration: $ => seq(
      'query', field('name', $.identifier), optional(field('parameters', $.parameters)), ':', field('type', $._type),
    ),

    variable_declaration: $ => seq(
      optional(field('scope', choice('group', 'world', 'keep'))),
      'var', field('name', $.identifier), ':', field('type', $._kind),
      optional(seq('=', field('value', $._expression))),
    ),

    constant_declaration: $ => seq(
      'const', field('name', $.identifier), optional(seq(':', field('type', $._type))), '=', field('value', $._expression),
    ),

    // A tunable may have the name `agent`.
    tunable_declaration: $ => seq(
      'tune', optional(field('scope', 'agent')), 'const',
      field('name', choice($.identifier, alias('agent', $.identifier))),
      optional(seq(':', field('type', $._type))), '=', $._amount,
      optional(seq('in', field('range', $.range))),
    ),
    range: $ => seq($._amount, '..', $._amount),
    _amount: $ => prec.right(seq(field('value', $._expression), optional(field('unit', alias(choice('ms', 's'), $.unit))))),

    enum_declaration: $ => seq(
      'enum', field('name', alias($.identifier, $.type_identifier)),
      '{', list($.enum_member), optional(','), '}',
    ),

    enum_member: $ => seq(field('name', $.identifier), optional(seq('=', field('value', $._literal_int)))),

    _literal_int: $ => choice($.integer, alias($.negative_integer, $.unary_expression)),
    negative_integer: $ => seq('-', $.integer),

    event_handler: $ => seq('on', field('name', $.identifier), field('body', $.set_block)),

    tree_definition: $ => seq(
      'tree', field('name', $.identifier), optional(field('parameters', $.parameters)), field('body', $.tree_block),
    ),

    tree_block: $ => seq('{', repeat($.variable_declaration), $._node, '}'),

    parameters: $ => parenthesized($.parameter),
    // A parameter may have the name `out`.
    parameter: $ => seq(
      choice(seq('out', field('name', $.identifier)), field('name', choice($.identifier, alias('out', $.identifier)))),
      ':', field('type', $._type),
    ),

    _type: $ => choice(
      alias(choice('bool', 'int', 'float', 'int64', 'double', 'text', 'vec2', 'vec3'), $.primitive_type),
      $.entity_type,
      alias($.identifier, $.type_identifier),
    ),
    _kind: $ => choice($._type, alias(choice('int8', 'uint8', 'int16', 'uint16'), $.primitive_type)),
    entity_type: $ => seq('entity', optional(seq('<', field('kind', alias($.identifier, $.type_identifier)), '>'))),

    // Nodes.

    _node: $ => choice(
      $.sequence_node,
      $.selector_node,
      $.parallel_node,
      $.random_node,
      $.utility_node,
      $.match_node,
      $.condition_node,
      $.if_node,
      $.while_node,
      $.chance_node,
      $.once_node,
      $.cleanup_node,
      $.every_node,
      $.action_node,
      $.set_node,
      $.wait_node,
      $.status_node,
      $.invert_node,
      $.force_node,
      $.repeat_node,
      $.retry_node,
      $.until_node,
      $.cooldown_node,
      $.timeout_node,
      $.delay_node,
      $.limit_node,
      $.use_node,
      $.raise_node,
    ),

    sequence_node: $ => seq(optional(choice('reactive', 'random')), 'sequence', field('body', $.block)),
    selector_node: $ => seq(optional(choice('reactive', 'random')), 'selector', field('body', $.block)),

    parallel_node: $ => seq('parallel', optional(field('policies', $.policies)), field('body', $.block)),
    policies: $ => seq('(', list($.policy), ')'),
    policy: $ => seq(choice('succeed', 'fail'), field('count', choice('all', 'any', $._expression))),

    random_node: $ => seq('random', field('body', alias($.weighted_block, $.block))),
    weighted_block: $ => seq('{', repeat(choice($._node, $.weighted_child)), '}'),
    weighted_child: $ => seq(field('weight', $._expression), ':', field('child', $._node)),

    utility_node: $ => seq(
      choice('utility', seq('reactive', 'utility', optional(seq('keep', field('keep', $.integer), '%')))),
      field('body', alias($.scored_block, $.block)),
    ),
    scored_block: $ => seq('{', repeat($.scored_child), '}'),
    scored_child: $ => seq(field('score', $._expression), ':', field('child', $._node)),

    match_node: $ => seq(
      optional('reactive'), 'match', field('value', $._expression), field('body', alias($.case_block, $.block)),
    ),
    case_block: $ => seq('{', repeat(choice($.case, $.else_case)), '}'),
    case: $ => seq(field('value', $._expression), ':', field('child', $._node)),
    else_case: $ => seq('else', ':', field('child', $._node)),

    condition_node: $ => seq('condition', field('condition', $._expression)),
    if_node: $ => seq('if', field('condition', $._expression), field('body', $.child_block)),
    while_node: $ => seq('while', field('condition', $._expression), field('body', $.child_block)),
    chance_node: $ => seq('chance', field('probability', $._expression), field('body', $.child_block)),
    once_node: $ => seq('once', field('body', $.child_block)),
    cleanup_node: $ => seq('cleanup', field('cleanup', $.set_block), field('body', $.child_block)),

    every_node: $ => seq('every', field('duration', $.duration), field('service', $.service_block), field('body', $.child_block)),

    action_node: $ => prec.right(seq('action', field('name', $.identifier), optional(field('arguments', $.arguments)))),
    use_node: $ => prec.right(seq('use', field('name', $.identifier), optional(field('arguments', $.arguments)))),
    raise_node: $ => prec.right(seq('raise', field('name', $.identifier), optional(seq('to', choice('group', 'all'))))),

    set_node: $ => seq(
      'set', field('name', $.identifier),
      field('operator', choice('=', '+=', '-=', '*=', '/=', 'min=', 'max=')),
      field('value', $._expression),
    ),

    wait_node: $ => seq('wait', field('duration', $.duration)),
    status_node: _ => choice('success', 'failure', 'running'),

    invert_node: $ => seq('invert', field('body', $.child_block)),
    force_node: $ => seq('force', field('status', choice('success', 'failure')), field('body', $.child_block)),
    repeat_node: $ => seq('repeat', optional(field('count', $._expression)), field('body', $.child_block)),
    retry_node: $ => seq('retry', optional(field('count', $._expression)), field('body', $.child_block)),
    until_node: $ => seq('until', field('status', choice('success', 'failure')), field('body', $.child_block)),
    cooldown_node: $ => seq('cooldown', field('duration', $.duration), field('body', $.child_block)),
    timeout_node: $ => seq('timeout', field('duration', $.duration), field('body', $.child_block)),
    delay_node: $ => seq('delay', field('duration', $.duration), field('body', $.child_block)),
    limit_node: $ => seq('limit', field('count', $._expression), field('body', $.child_block)),

    block: $ => seq('{', repeat($._node), '}'),
    child_block: $ => seq('{', $._node, '}'),
    set_block: $ => seq('{', repeat($.set_node), '}'),
    service_block: $ => seq('{', repeat(choice($.set_node, $.raise_node, $.action_node)), '}'),

    duration: $ => prec.right(seq($._length, optional(seq('to', $._length)))),
    // Only the name of a tunable has no unit behind it.
    _length: $ => choice(
      seq($._expression, field('unit', alias(choice('ticks', 'ms', 's'), $.unit))),
      prec(-1, $.identifier),
    ),

    // Expressions. Each extends as far as possible, also at a `(` or `-` that could begin a weight.

    _expression: $ => choice(
      $.binary_expression,
      $.unary_expression,
      $.call_expression,
      $.member_expression,
      $.parenthesized_expression,
      $.identifier,
      $.integer,
      $.float,
      $.boolean,
      $.string,
      $.now,
      $.none,
    ),

    binary_expression: $ => choice(...[
      ['||', LEVEL.or],
      ['&&', LEVEL.and],
      ['==', LEVEL.equal],
      ['!=', LEVEL.equal],
      ['<', LEVEL.compare],
      ['<=', LEVEL.compare],
      ['>', LEVEL.compare],
      ['>=', LEVEL.compare],
      ['+', LEVEL.sum],
      ['-', LEVEL.sum],
      ['*', LEVEL.product],
      ['/', LEVEL.product],
      ['%', LEVEL.product],
    ].map(([operator, level]) => prec.left(level, seq(
      field('left', $._expression), field('operator', operator), field('right', $._expression),
    )))),

    unary_expression: $ => prec(LEVEL.unary, seq(field('operator', choice('!', '-')), field('operand', $._expression))),

    call_expression: $ => prec(LEVEL.call, seq(
      field('function', choice($.identifier, alias(choice('bool', 'int', 'float', 'int64', 'double', 'random'), $.builtin))),
      field('arguments', $.arguments),
    )),

    arguments: $ => parenthesized(choice($._expression, $.point)),
    // Only a `curve` has points.
    point: $ => seq(field('x', $._expression), ':', field('y', $._expression)),

    member_expression: $ => seq(
      field('enum', alias($.identifier, $.type_identifier)), '.', field('member', $.identifier),
    ),

    parenthesized_expression: $ => seq('(', $._expression, ')'),

    // Tokens.

    identifier: _ => /[A-Za-z_][A-Za-z0-9_]*/,
    integer: _ => token(choice(/0[xX][0-9a-fA-F]+/, /[0-9]+/)),
    float: _ => token(choice(/[0-9]+\.[0-9]+([eE][+-]?[0-9]+)?/, /[0-9]+[eE][+-]?[0-9]+/)),
    boolean: _ => choice('true', 'false'),
    now: _ => 'now',
    none: _ => 'none',

    string: $ => seq('"', repeat(choice($.string_content, $.escape_sequence)), '"'),
    string_content: _ => token.immediate(prec(1, /[^"\\\n]+/)),
    escape_sequence: _ => token.immediate(/\\["\\nt]/),
  },
});
