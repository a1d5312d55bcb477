//! Printout of a tree in the form of recorded cases.
//!
//! The form shows precedence and grouping: every binary expression is in parentheses, and every
//! block on lines of its own. Included trees are named, not expanded. Two host functions have a
//! second name, and the printout has one name for both: `equip` prints as `buy`,
//! `buildingIsDamaged` as `buildingIsBurning`.
//!
//! ```text
//! selector
//! {
//!     condition ( team == 1 )
//!     {
//!         action moveTo( 13, 0.5 )
//!     }
//!     behavior heal
//! }
//! ```

use crate::general::general;
use pleach_compile::internals::ast::{Binary, Expr, File, Node, NodeIndex, Role, Value};
use pleach_compile::internals::text::{Interner, Sym};

/// Prints the tree `name`, its class tree first. Returns nothing if there is no such tree. Strings
/// are bytes and are printed as such.
#[must_use]
pub fn print(file: &File, names: &Interner, name: &str) -> Vec<u8> {
    let mut printer = Printer { file, names, out: Vec::new() };
    for role in [Role::Class, Role::Main] {
        let is_it = |tree: &&pleach_compile::internals::ast::Tree| {
            tree.role == role && names.bytes(tree.name) == name.as_bytes()
        };
        if let Some(tree) = file.trees.iter().find(is_it) {
            match role {
                Role::Class => printer.class_tree(tree.root),
                Role::Main | Role::Handler => printer.tree(tree.root, 0),
            }
        }
    }
    printer.out
}

struct Printer<'a> {
    file: &'a File,
    names: &'a Interner,
    out: Vec<u8>,
}

impl Printer<'_> {
    fn class_tree(&mut self, root: NodeIndex) {
        self.line(0, b"selectClass");
        self.line(0, b"{");
        self.tree(root, 1);
        self.line(0, b"}");
    }

    fn tree(&mut self, root: NodeIndex, depth: usize) {
        let mut open: Vec<NodeIndex> = Vec::new();
        for index in root..self.file.nodes[root as usize].end {
            while open.pop_if(|end| *end <= index).is_some() {
                self.line(depth + open.len(), b"}");
            }
            let node = &self.file.nodes[index as usize];
            let head = self.head(node);
            self.line(depth + open.len(), &head);
            if node.end > index + 1 || self.is_list(node) {
                self.line(depth + open.len(), b"{");
                open.push(node.end);
            }
        }
        while open.pop().is_some() {
            self.line(depth + open.len(), b"}");
        }
    }

    fn line(&mut self, depth: usize, text: &[u8]) {
        self.out.resize(self.out.len() + 4 * depth, b' ');
        self.out.extend_from_slice(text);
        self.out.push(b'\n');
    }

    /// Returns true for a list. A list has braces even without children.
    fn is_list(&self, node: &Node) -> bool {
        let lists: [&[u8]; 4] = [b"selector", b"sequence", b"fallback", b"concurrent"];
        lists.contains(&self.names.bytes(node.keyword))
    }

    fn head(&self, node: &Node) -> Vec<u8> {
        let keyword = self.names.bytes(node.keyword);
        let mut head = keyword.to_vec();
        if let Some(subject) = node.subject {
            head.push(b' ');
            head.extend(self.call(subject, node.args));
        } else if let Some(arg) = self.file.args(node.args).first() {
            head.push(b' ');
            head.extend(self.value(*arg));
        }
        if let Some(condition) = node.condition {
            head.push(b' ');
            head.extend(self.expr(condition));
        }
        head
    }

    fn call(&self, name: Sym, args: (u32, u32)) -> Vec<u8> {
        let name = match self.names.bytes(name) {
            b"equip" => b"buy",
            b"buildingIsDamaged" => b"buildingIsBurning".as_slice(),
            other => other,
        };
        let args: Vec<_> = self.file.args(args).iter().map(|arg| self.value(*arg)).collect();
        if args.is_empty() { name.to_vec() } else { [name, b"( ", &args.join(&b", "[..]), b" )"].concat() }
    }

    fn value(&self, value: Value) -> Vec<u8> {
        match value {
            Value::Int(int) => int.to_string().into_bytes(),
            Value::Float(float) => general(float.into(), 6).into_bytes(),
            Value::Text(text) => [b"\"", self.names.bytes(text), b"\""].concat(),
            _ => format!("{value:?}").into_bytes(),
        }
    }

    fn expr(&self, expr: u32) -> Vec<u8> {
        match self.file.exprs[expr as usize] {
            Expr::Number(value) => self.value(value),
            Expr::Query { name, args, .. } => self.call(name, args),
            Expr::Not(operand) => [b"!( ", &self.expr(operand)[..], b" )"].concat(),
            Expr::Binary(op, left, right) => {
                let (left, right) = (self.expr(left), self.expr(right));
                [b"( ", &left[..], b" ", sign(op), b" ", &right, b" )"].concat()
            }
            other => format!("{other:?}").into_bytes(),
        }
    }
}

fn sign(op: Binary) -> &'static [u8] {
    match op {
        Binary::Less => b"<",
        Binary::LessEqual => b"<=",
        Binary::Greater => b">",
        Binary::GreaterEqual => b">=",
        Binary::Equal => b"==",
        Binary::NotEqual => b"!=",
        Binary::And => b"&&",
        Binary::Or => b"||",
    }
}
