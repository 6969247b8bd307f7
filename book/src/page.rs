//! A page: Markdown with formulas and blocks.

use std::path::Path;

use crate::block::{self, Scenes};
use crate::formula::mathml;

/// A problem of a page: its line, and a message.
pub(crate) type Wrong = (usize, String);

/// The page for mdBook. Adds the scenes that its demos show.
pub(crate) fn prepare(book: &Path, text: &str, scenes: &mut Scenes) -> Result<String, Wrong> {
    let mut prepared = String::new();
    // Text since the last block, and its first line.
    let (mut prose, mut first) = (String::new(), 1);
    let mut lines = text.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let at = |text: String| (number + 1, text);
        if let Some(fence) = line.strip_prefix("```") {
            prepared.push_str(&formulas(&prose).map_err(|text| (first, text))?);
            prose.clear();
            let mut content = String::new();
            let is_closed = loop {
                match lines.next() {
                    Some((_, "```")) => break true,
                    Some((_, line)) => content.extend([line, "\n"]),
                    None => break false,
                }
            };
            if !is_closed {
                return Err(at("a block has no end; allowed: a line of three backticks".into()));
            }
            match block::html(book, fence.trim(), &content, scenes).map_err(at)? {
                Some(html) => prepared.extend([&html, "\n"]),
                None => prepared.extend([line, "\n", &content, "```\n"]),
            }
            first = number + 1;
        } else {
            prose.extend([line, "\n"]);
        }
    }
    prepared.push_str(&formulas(&prose).map_err(|text| (first, text))?);
    Ok(prepared)
}

/// The text with `$$…$$` and `$…$` as MathML; what is in backticks stays.
pub(crate) fn formulas(prose: &str) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = prose;
    while let Some(start) = rest.find(['$', '`']) {
        text.push_str(&rest[..start]);
        rest = &rest[start..];
        let mark = if rest.starts_with("$$") { "$$" } else { &rest[..1] };
        let end = rest[mark.len()..].find(mark);
        let end = end.ok_or_else(|| {
            let words: String = rest.chars().take(40).collect();
            format!(
                "`{mark}` has no end after this line, at `{words}`; allowed: one before a block"
            )
        })?;
        let inner = &rest[mark.len()..mark.len() + end];
        match mark {
            "`" => text.extend(["`", inner, "`"]),
            mark => text.push_str(&mathml(inner, mark == "$$")?),
        }
        rest = &rest[2 * mark.len() + end..];
    }
    text.push_str(rest);
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml_and_code_stays() {
        let text = formulas("The speed $v$, and `$v` too.").expect("it is a formula");
        assert!(text.starts_with("The speed <math") && text.ends_with(", and `$v` too."), "{text}");
        assert!(formulas("a $ alone").is_err());
        assert!(formulas("$\\frac{1}$").is_err());
    }
}
