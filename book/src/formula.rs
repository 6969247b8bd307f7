//! Formulas in the notation of LaTeX as MathML, which browsers set themselves.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

/// The MathML of a formula.
///
/// # Errors
/// What is wrong in the formula.
pub(crate) fn mathml(formula: &str, is_display: bool) -> Result<String, String> {
    let storage = Storage::new();
    let events = Parser::new(formula, &storage).collect::<Result<Vec<_>, _>>();
    let events = events.map_err(|error| format!("the formula `{formula}`: {error}"))?;
    let display_mode = if is_display { DisplayMode::Block } else { DisplayMode::Inline };
    let mut text = String::new();
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    push_mathml(&mut text, events.into_iter().map(Ok::<_, std::convert::Infallible>), config)
        .map_err(|error| format!("the formula `{formula}`: {error}"))?;
    // A bar would end a cell of a table, and a space is escaped twice.
    let text = text.replace('|', "&#124;").replace("&amp;nbsp;", "&#160;");
    // A long formula is scrolled by itself.
    Ok(if is_display { format!("<span class=\"formula\">{text}</span>") } else { text })
}
