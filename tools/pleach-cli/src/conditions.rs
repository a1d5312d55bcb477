//! Conditions of an image as one would write them: `AtNest and !SeesEnemy`.
//!
//! In an image a condition is code for a stack, in which `and` and `or` are jumps. Here each entry
//! of the stack is text, and a jump is what waits until the place that it leads to.

use crate::output::number;
use pleach::Image;
use pleach_image::isa::{StackOp, StackWord};
use pleach_image::listing;

/// Letters after which a text is cut.
const MAX_TEXT: usize = 120;

/// Part of a condition. A part of several words is put in parentheses inside another part.
struct Part {
    text: String,
    words: bool,
}

impl Part {
    fn word(text: impl Into<String>) -> Self {
        Self { text: text.into(), words: false }
    }

    fn inside(self) -> String {
        if self.words { format!("({})", self.text) } else { self.text }
    }

    fn joined(self, between: &str, other: Self) -> Self {
        let text = format!("{} {between} {}", self.inside(), other.inside());
        Self { text: text.chars().take(MAX_TEXT).collect(), words: true }
    }
}

/// Returns a condition in words.
pub(crate) fn words(image: &Image, condition: u32) -> String {
    let (mut stack, mut waiting): (Vec<Part>, Vec<(usize, &str)>) = (Vec::new(), Vec::new());
    let pop = |stack: &mut Vec<Part>| stack.pop().unwrap_or_else(|| Part::word("?"));
    let code = image.condition(condition);
    for (at, word) in code.iter().enumerate() {
        while let Some((_, between)) = waiting.pop_if(|(end, _)| *end == at) {
            let (second, first) = (pop(&mut stack), pop(&mut stack));
            stack.push(first.joined(between, second));
        }
        match word.op() {
            Some(StackOp::And) => waiting.push((at + usize::from(word.a), "and")),
            Some(StackOp::Or) => waiting.push((at + usize::from(word.a), "or")),
            Some(StackOp::Not) => {
                let part = pop(&mut stack);
                stack.push(Part::word(format!("!{}", part.inside())));
            }
            Some(StackOp::Truth) => {
                let truth = stack.last_mut().filter(|_| at > 0 && constant(image, code[at - 1]).is_some());
                if let Some(part) = truth {
                    part.text = (part.text != "0").to_string();
                }
            }
            Some(StackOp::Number | StackOp::End | StackOp::Give) | None => {}
            Some(op) => match relation(op) {
                Some(between) => {
                    let (second, first) = (pop(&mut stack), pop(&mut stack));
                    stack.push(first.joined(between, second));
                }
                None => stack.push(Part::word(pushed(image, *word))),
            },
        }
    }
    stack.pop().map(|part| part.text).unwrap_or_default()
}

fn relation(op: StackOp) -> Option<&'static str> {
    Some(match op {
        StackOp::Lt => "<",
        StackOp::Le => "<=",
        StackOp::Gt => ">",
        StackOp::Ge => ">=",
        StackOp::Eq => "==",
        StackOp::Ne => "!=",
        _ => return None,
    })
}

fn constant(image: &Image, word: StackWord) -> Option<f64> {
    (word.op()? == StackOp::Const).then(|| image.constant(word.a.into()))?
}

/// Returns the text of an operand, or the name of an operator.
fn pushed(image: &Image, word: StackWord) -> String {
    let Some(op) = word.op() else { return "?".to_owned() };
    let slot = || image.slots().get(usize::from(word.a)).map_or("?", |row| image.name(row.name)).to_owned();
    match op {
        StackOp::Const => constant(image, word).map_or_else(|| "?".to_owned(), number),
        StackOp::Query => listing::site(image, word.a.into()),
        StackOp::Slot | StackOp::Bit => slot(),
        StackOp::Since | StackOp::Noted | StackOp::Reached => format!("{} {}", op.mnemonic(), slot()),
        StackOp::Shared | StackOp::SharedBit => {
            image.shared().get(usize::from(word.a)).map_or("?", |row| image.name(row.name)).to_owned()
        }
        _ => op.mnemonic().to_owned(),
    }
}
