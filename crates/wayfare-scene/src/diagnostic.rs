//! Diagnostics like rustc's: file, line, column, the text in question, and what is allowed there.
//!
//! Drawn by `annotate-snippets`, which rustc and cargo use.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// A mistake in a scene file, or a hint about something that is legal but moves badly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Its position in the text (bytes).
    pub span: Range<usize>,
    /// The mistake, with the key and the value.
    pub message: String,
    /// The allowed values; of a hint, a better choice.
    pub allowed: String,
    /// A suggestion, if there is one.
    pub help: Option<String>,
    /// A second position that it concerns, with its label.
    pub also: Option<(Range<usize>, &'static str)>,
}

impl Problem {
    /// A problem without help.
    pub(crate) fn new(
        span: Range<usize>,
        message: impl Into<String>,
        allowed: impl Into<String>,
    ) -> Self {
        Self { span, message: message.into(), allowed: allowed.into(), help: None, also: None }
    }
}

/// The most problems of a file that are shown: a file can have a million.
pub(crate) const MOST_SHOWN: usize = 20;

/// The most characters of a message: a name in it can be as long as the file.
const LONGEST_MESSAGE: usize = 500;

/// The severity of a problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot run.
    Error,
    /// The scene runs, but likely not as intended.
    Hint,
}

impl Severity {
    fn word(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Hint => "hint",
        }
    }
}

/// A count with its noun: 1 error, 2 errors.
pub fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// The first `most` characters of a text, [`printable`], with an ellipsis if there are more.
pub fn short(text: &str, most: usize) -> String {
    let cut = text.char_indices().nth(most).map(|(at, _)| at);
    printable(&text[..cut.unwrap_or(text.len())]) + if cut.is_some() { "…" } else { "" }
}

/// `text` with control characters escaped as in Rust: a terminal would execute them.
pub fn printable(text: &str) -> String {
    // The last ones change the direction of writing.
    let is_control = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}')
            || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars()
        .map(|c| if is_control(c) { c.escape_default().to_string() } else { c.to_string() })
        .collect()
}

/// The file that problems are about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// Its name, as shown.
    pub name: String,
    /// Its text.
    pub text: String,
}

impl Source {
    /// The line and column of a byte, both from 1, columns in characters.
    pub fn line_and_column(&self, byte: usize) -> (usize, usize) {
        let mut end = byte.min(self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let before = &self.text[..end];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }

    /// The problems as text, in the order of the file, each with its lines; in color if `color`.
    /// After the first twenty the others are only counted.
    pub fn render(&self, severity: Severity, problems: &[Problem], color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut sorted: Vec<&Problem> = problems.iter().collect();
        sorted.sort_by_key(|problem| problem.span.start);
        let mut text = String::new();
        for problem in sorted.iter().take(MOST_SHOWN) {
            let level = match severity {
                Severity::Error => Level::ERROR,
                Severity::Hint => Level::WARNING.with_name(severity.word()),
            };
            let label = format!(
                "{}{}",
                if severity == Severity::Error { "allowed: " } else { "better: " },
                short(&problem.allowed, LONGEST_MESSAGE)
            );
            let mut snippet = Snippet::source(&self.text).path(printable(&self.name)).annotation(
                AnnotationKind::Primary.span(self.shown(problem.span.clone())).label(label),
            );
            if let Some((span, label)) = &problem.also {
                snippet = snippet.annotation(
                    AnnotationKind::Context.span(self.shown(span.clone())).label(*label),
                );
            }
            let mut group =
                level.primary_title(short(&problem.message, LONGEST_MESSAGE)).element(snippet);
            if let Some(help) = &problem.help {
                group = group.element(Level::HELP.message(short(help, LONGEST_MESSAGE)));
            }
            text.push_str(&renderer.render(&[group]));
            text.push_str("\n\n");
        }
        if let Some(more) = sorted.len().checked_sub(MOST_SHOWN).filter(|more| *more > 0) {
            text.push_str(&format!(
                "and {} more {}{}\n\n",
                more,
                severity.word(),
                if more == 1 { "" } else { "s" }
            ));
        }
        text
    }

    /// The part of a span that is underlined: its first line, on character boundaries.
    fn shown(&self, span: Range<usize>) -> Range<usize> {
        let mut start = span.start.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let mut end = span.end.clamp(start, self.text.len());
        while !self.text.is_char_boundary(end) {
            end -= 1;
        }
        let end = self.text[start..end].find('\n').map_or(end, |line| start + line);
        start..end
    }
}
