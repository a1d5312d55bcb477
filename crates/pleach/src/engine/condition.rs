//! Conditions in the form they run in.
//!
//! Most conditions of real trees ask one question and compare the answer with a number. These become one [`Test`]; all
//! others run on the stack machine.

use pleach_image::Image;
use pleach_image::isa::{StackOp, StackWord};

/// A condition, decoded.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Test {
    /// Whether the answer is not zero, or (negated) is.
    Truth { site: u16, negated: bool },
    /// The answer compared with a constant.
    Compare { site: u16, with: StackOp, constant: f64 },
    /// Stack code from this word on.
    Stack { first: u32 },
}

/// Decodes all conditions of an image.
pub(crate) fn decode<D: AsRef<[u8]>>(image: &Image<D>) -> Vec<Test> {
    let constants: Vec<f64> = image.constants().collect();
    let decode = |index: usize| {
        let first = image.conditions()[index].first;
        fused(image.condition(index as u32), &constants).unwrap_or(Test::Stack { first })
    };
    (0..image.conditions().len()).map(decode).collect()
}

fn fused(words: &[StackWord], constants: &[f64]) -> Option<Test> {
    use StackOp::{Const, End, Eq, Ge, Gt, Le, Lt, Ne, Not, Query, Truth};
    let mut ops = [End; 5];
    for (op, word) in ops.iter_mut().zip(words) {
        *op = word.op()?;
    }
    let site = words.first()?.a;
    Some(match ops {
        [Query, Truth, End, ..] => Test::Truth { site, negated: false },
        [Query, Truth, Not, End, _] => Test::Truth { site, negated: true },
        [Query, Const, with @ (Lt | Le | Gt | Ge | Eq | Ne), End, _] => {
            Test::Compare { site, with, constant: *constants.get(usize::from(words[1].a))? }
        }
        _ => return None,
    })
}

/// A comparison of two numbers; NaN differs from everything.
#[inline]
pub(crate) fn compare(with: StackOp, first: f64, second: f64) -> bool {
    match with {
        StackOp::Lt => first < second,
        StackOp::Le => first <= second,
        StackOp::Gt => first > second,
        StackOp::Ge => first >= second,
        StackOp::Eq => first == second,
        _ => first != second,
    }
}
