//! The codes of all diagnostics. A code is never reused for another meaning; `spec/diagnostics.md` holds the same table.

use crate::diagnostic::Code;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $id:literal, $meaning:literal;)*) => {
        $(
            #[doc = $meaning]
            pub const $name: Code = Code { id: $id, meaning: $meaning };
        )*
        /// All codes, in order.
        pub const ALL: &[Code] = &[$($name),*];
    };
}

/// Advice for a program that is too large.
pub(crate) const SPLIT_PROGRAM: &str =
    "split the program: build some of the trees into an image of their own";

codes! {
    TOO_MUCH_TEXT = "E0201", "macros, includes or subtrees bring more text than is allowed";
    ENDLESS_MACRO = "E0202", "macros expand to each other without end";
    DEEP_INCLUDE = "E0203", "files include each other too deep";
    NESTED_TOO_DEEP = "E0204", "directives stand too deep in each other";
    UNDEFINED_VALUE = "E0205", "a directive whose value the language leaves undefined";
    FATAL_CONDITION = "E0206", "a directive's expression that has no outcome at all";
    EMPTY_FILE = "E0301", "a file without a tree";
    EXPECTED = "E0302", "something else must stand here";
    UNEXPECTED_END = "E0303", "the file ends too early";
    AFTER_TREE = "E0304", "something follows the tree";
    STRAY_BRACE = "E0305", "a closing brace without an opening one";
    ONE_CHILD = "E0306", "a second child where only one is allowed";
    MISSING_CHILD = "E0307", "a block without the child that it needs";
    TOO_MANY_CHILDREN = "E0308", "a list with more children than are allowed";
    ONLY_CLASS = "E0309", "a class tree without a main tree";
    BAD_ARGUMENT = "E0310", "something in an argument list that is no argument";
    UNCLOSED_ARGUMENTS = "E0311", "an argument list without end";
    BARE_AT_END = "E0312", "a name without parentheses at the very end of a file";
    BARE_DECORATOR = "E0313", "a decorator without the parentheses that it needs";
    BAD_OPERAND = "E0314", "a value is missing in a condition";
    UNKNOWN_NODE = "E0401", "a node word that the dialect does not have";
    UNKNOWN_ACTION = "E0402", "an action that the manifest does not have";
    UNKNOWN_QUERY = "E0403", "a query or symbol that the manifest does not have";
    UNKNOWN_DECORATOR = "E0404", "a decorator that the dialect does not have";
    TOO_FEW_ARGUMENTS = "E0405", "fewer arguments than are needed";
    TOO_MANY_ARGUMENTS = "E0406", "more arguments than are taken";
    TREE_NOT_FOUND = "E0407", "a tree for which there is no file";
    TREE_FAILED = "E0408", "a tree that has errors of its own";
    RECURSIVE_TREE = "E0409", "a tree that includes itself";
    TOO_LARGE = "E0501", "the program is larger than an image can hold";
    CONDITION_TOO_DEEP = "E0502", "a condition nests too deeply for the condition machine";
    REFUSED_IMAGE = "E0503", "an image that the verifier refuses, by a mistake of the compiler";
    INVALID_TEXT = "E0601", "bytes that are no UTF-8";
    BAD_CHARACTER = "E0602", "a character that begins no token";
    OPEN_TEXT = "E0603", "a text without end";
    BAD_ESCAPE = "E0604", "an escape that texts do not know";
    OPEN_COMMENT = "E0605", "a comment without end";
    BAD_NUMBER = "E0606", "a number that cannot be read, or is too large";
    RESERVED_WORD = "E0607", "a word of the language where a name must stand";
    FOREIGN_OPERATOR = "E0608", "an operator that the language writes otherwise";
    DECLARED_TWICE = "E0609", "a name that is declared twice";
    DECLARED_OTHERWISE = "E0610", "an action or query that is declared in two ways";
    UNKNOWN_NAME = "E0611", "a name that is not declared";
    WRONG_TYPE = "E0612", "a value of another type than is wanted";
    NOT_CONSTANT = "E0613", "a value that is known only at run time where a constant must stand";
    OUT_OF_RANGE = "E0614", "a number outside of what is allowed";
    CONSTANT_CIRCLE = "E0615", "constants that are computed from each other";
    NOT_WRITABLE = "E0616", "something that cannot be set, or not in this way";
    BAD_ARGUMENT_VALUE = "E0617", "an argument that is neither a constant nor an agent's variable";
    TOO_MANY_COPIES = "E0618", "trees whose copies come to more nodes than are allowed";
    FILE_NOT_FOUND = "E0619", "an included file that is not there";
    NOTHING_TO_START = "E0620", "a file without a tree that can be started";
    WRONG_UNIT = "E0621", "a duration in a unit that does not go with the node";
    NO_UNIT = "E0622", "a duration without a unit, or in one that there is not";
    XML_MALFORMED = "E0701", "text that is no well-formed XML";
    XML_ENCODING = "E0702", "an encoding that is not known";
    XML_DOCTYPE = "E0703", "a document type, which may bring entities";
    XML_TOO_LARGE = "E0704", "a file with more elements than any tree has";
    XML_UNKNOWN_ELEMENT = "E0705", "an element that the dialect does not have, or not here";
    XML_MISSING_ATTRIBUTE = "E0706", "an element without an attribute that it needs";
    XML_BAD_VALUE = "E0707", "an attribute or text whose value is not one of those allowed";
    EMPTY_ID = "E0711", "an id without a character";
    SECOND_ID = "E0712", "an id that another rule of the tree has";
    LONG_ID = "E0713", "an id that is too long to be saved";
    SECOND_RULE = "E0714", "a second rule at the root of a tree";
    PATH_ABOVE_ROOT = "E0715", "a path that leads above the root of all files";
    WIDE_EQUALS = "E0716", "an attribute with more than one blank beside its `=`";
    XML_MANY_ATTRIBUTES = "E0717", "an element with more attributes than are allowed";
    XML_MANY_NAMESPACES = "E0718", "a file that declares more namespaces than are allowed";
    LEAF_WITH_CHILD = "E0731", "a leaf with a child";
    STRAY_TEXT = "E0732", "text where only elements stand";
    NO_POLICY = "E0733", "a policy on a node that has none";
    BAD_CONDITION_TEXT = "E0751", "a condition that is wrong, in a modular behavior tree or selection tree";
    LONG_CONDITION = "E0752", "a condition with more values and operators than are allowed";
    SECOND_TREE = "E0753", "a second tree in a program that can have one";
    TREE_ROOT = "E0754", "a root, case or state without the one node that it needs";
    NODE_CHILDREN = "E0755", "a node with more or fewer children than it can have";
    UNKNOWN_STATE = "E0756", "a transition to a state that is not there";
    MANIFEST_LINE = "E0769", "a line of a manifest that cannot be read, or that declares a name again";
    UNKNOWN_BLOCK = "E0771", "a reference to a block that is not there";
    BLOCK_CIRCLE = "E0772", "blocks that refer to each other without end";
    UNDEFINED_SELECTION = "E0773", "a node that selects nothing that is defined";
    UNREADABLE = "W0101", "a character that begins no token; the rest of the file is ignored";
    UNCLOSED_STRING = "W0102", "a string without end; the rest of the file is ignored";
    TOO_LONG = "W0103", "a name, number or string that is too long; the rest of the file is ignored";
    UNKNOWN_ESCAPE = "W0104", "an unknown escape, which cuts the string off";
    LARGE_ESCAPE = "W0105", "an escape above 255, which counts as 255";
    TRAILING_DOT = "W0106", "a number that ends with a dot, which counts 4.8 less";
    SECOND_DOT = "W0107", "a number with more than one dot";
    LONG_FRACTION = "W0108", "a fraction with more than nineteen digits, which is computed wrong";
    UNCLOSED_COMMENT = "W0109", "a comment without end; the rest of the file is ignored";
    NUL_BYTE = "W0110", "a NUL byte; the rest of the file is ignored";
    STRAY_HASH = "W0201", "a `#` without a directive; the rest of the file is ignored";
    UNKNOWN_DIRECTIVE = "W0202", "an unknown directive; the rest of the file is ignored";
    UNSUPPORTED_DIRECTIVE = "W0203", "a directive that is not supported; the rest of the file is ignored";
    ERROR_DIRECTIVE = "W0204", "`#error`; the rest of the file is ignored";
    PRAGMA = "W0205", "`#pragma`, which does nothing";
    BAD_DEFINE = "W0206", "a definition that is wrong; the rest of the file is ignored";
    REDEFINITION = "W0207", "a macro that is defined again";
    SELF_REFERENCE = "W0208", "a macro's own name in its definition, which is left out";
    BAD_MACRO_USE = "W0209", "a macro with wrong arguments; the rest of the file is ignored";
    MISSING_ARGUMENT = "W0210", "a macro with missing arguments, which stand for nothing";
    EMPTY_MACRO = "W0211", "a macro that expands to nothing; the rest of the file is ignored";
    BAD_MERGE = "W0212", "tokens that cannot be merged; the rest of the file is ignored";
    STRAY_STRINGIZE = "W0213", "a `#` in a macro without a parameter after it, which is left out";
    BAD_INCLUDE = "W0214", "an include without a path; the rest of the file is ignored";
    INCLUDE_NOT_FOUND = "W0215", "an included file that is not there; the rest of the file is ignored";
    RECURSIVE_INCLUDE = "W0216", "a file that includes itself, which is ignored";
    BAD_CONDITION = "W0217", "a directive's condition that is wrong; the rest of the file is ignored";
    MISPLACED_CONDITIONAL = "W0218", "a conditional directive out of place; the rest of the file is ignored";
    MISSING_ENDIF = "W0219", "a conditional part without end";
    SECOND_BRANCH = "W0220", "a second part of one conditional that is read";
    BAD_EVALUATION = "W0221", "an evaluation that is wrong; the rest of the file is ignored";
    SIGN_LOST = "W0222", "a negative result whose sign counts twice";
    BAD_ENUM = "W0223", "an enumeration that is wrong; the rest of the file is ignored";
    IGNORED_ARGUMENTS = "W0301", "wrong arguments where none are needed, which are ignored";
    ARGUMENT_TYPE = "W0401", "an argument of another type than declared, which is converted";
    CHAINED_COMPARISON = "W0402", "a comparison with the outcome of a comparison";
    CONSTANT_CONDITION = "W0601", "a condition that is always true or always false";
    UNREACHABLE = "W0602", "a child that can never begin";
    NO_CHILDREN = "W0603", "a list without children";
    UNREACHABLE_COUNT = "W0604", "a parallel that waits for more branches than it has";
    UNUSED_TREE = "W0605", "a tree that cannot be started and that nothing uses";
    UNUSED_VARIABLE = "W0606", "a variable that no tree reads or writes";
    CLAMPED = "W0607", "a constant that the variable it is written to cannot hold";
    ACTION_AND_QUERY = "W0608", "a name that is declared both as an action and as a query";
    NO_TRUTH = "W0711", "a truth that is neither `true` nor `false`, which counts as false";
    UNREAD_ATTRIBUTE = "W0712", "an attribute that nothing reads";
    UNREAD_ELEMENT = "W0713", "an element where only text is read";
    IGNORED_TEXT = "W0714", "text that nothing reads";
    BLANK_AT_END = "W0715", "a name or path with a blank at its end";
    GIVEN_AGAIN = "W0716", "something that is given a second time; the last one counts";
    IDLE_CONDITION = "W0717", "a condition that is never looked at";
    LARGE_REFERENCE = "W0718", "a character reference above 255, which counts by its lowest eight bits";
    UNKNOWN_ATTRIBUTE = "W0731", "an attribute that the element has no use for";
    TRAILING_CONDITION = "W0751", "something after the end of a condition, which is ignored";
    UNDECLARED_VARIABLE = "W0752", "a variable that is not declared, which is false";
    IGNORED_ATTRIBUTE = "W0753", "an attribute that the element does not have, or has already, which is ignored";
    ODD_NUMBER = "W0754", "an attribute that is no number, or not only that, or none that fits";
    SECTION_CUT = "W0755", "an entry of a section that is wrong; the rest of the section is ignored";
    IGNORED_ELEMENT = "W0756", "an element that is ignored";
    IDLE_TIMESTAMP = "W0757", "a timestamp that is not there, or can never be set or asked";
    SAME_NAME = "W0758", "a second state or timestamp of a name, of which the first counts";
    OUT_OF_DATE = "W0759", "something that is out of date";
    ODD_VALUE = "W0760", "a value that is not one of those allowed, instead of which another counts";
    NEGATIVE_TIME = "W0761", "a negative time";
    FORGIVEN = "W0771", "something wrong that is read as the engine reads it";
    MANIFEST_REPLACES = "W0779", "a declaration that takes the place of one in an earlier manifest";
}
