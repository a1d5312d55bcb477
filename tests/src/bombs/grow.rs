//! Templates that grow: the text of an axis, written once and repeated as often as a size says.
//!
//! | in a template | becomes |
//! |---|---|
//! | `«text»` | the text, `n` times |
//! | `‹text›` | the text, `log2 n` times: what doubles with each copy comes to `n` |
//! | `⟦text⟧` | the text, 600 times: more often than findings are kept |
//! | `{i}`, `{j}` | the index of the repetition, from 0; the one after it |
//! | `{n}`, `{k}` | the size; `log2` of it |
//!
//! Everything else stays as it is, also `{@}`, the place for the text of another axis.

/// Number of repetitions that does not grow.
const MANY: usize = 600;

/// Returns the template grown to size `n`; `None` if the text were longer than `most` bytes.
#[must_use]
pub fn grown(template: &str, n: usize, most: usize) -> Option<String> {
    let (levels, mut text, mut rest) = (n.max(1).ilog2() as usize, String::new(), template);
    while let Some((at, open)) = rest.char_indices().find(|(_, it)| matches!(it, '«' | '‹' | '⟦')) {
        let (close, times) = match open {
            '‹' => ('›', levels),
            '⟦' => ('⟧', MANY),
            _ => ('»', n),
        };
        text.push_str(&rest[..at]);
        let inner = &rest[at + open.len_utf8()..];
        let (piece, after) = inner.split_once(close).unwrap_or((inner, ""));
        repeat(&mut text, piece, times, most)?;
        rest = after;
    }
    text.push_str(rest);
    let text = text.replace("{n}", &n.to_string()).replace("{k}", &levels.to_string());
    Some(text).filter(|text| text.len() <= most)
}

/// Appends a piece this number of times, with its indices.
fn repeat(text: &mut String, piece: &str, times: usize, most: usize) -> Option<()> {
    let counts = piece.contains("{i}") || piece.contains("{j}");
    for index in 0..times {
        if counts {
            text.push_str(&piece.replace("{i}", &index.to_string()).replace("{j}", &(index + 1).to_string()));
        } else {
            text.push_str(piece);
        }
        if text.len() > most {
            return None;
        }
    }
    Some(())
}
