//! Diagnostics in the manner of rustc: file, line, column, the text at fault, and what is allowed there.
//!
//! Drawn by `annotate-snippets`, which rustc and cargo use.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};

/// One mistake in a scene file, or one thing that is legal but moves badly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where in the text it stands (bytes).
    pub span: Range<usize>,
    /// What is wrong, naming the key and the value.
    pub message: String,
    /// What is allowed instead.
    pub allowed: String,
    /// What to type, where that can be guessed.
    pub help: Option<String>,
}

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The scene cannot run.
    Error,
    /// The scene runs, and likely not as meant.
    Hint,
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
    pub fn render(&self, severity: Severity, problems: &[Problem], color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut sorted: Vec<&Problem> = problems.iter().collect();
        sorted.sort_by_key(|problem| problem.span.start);
        let mut text = String::new();
        for problem in sorted {
            let level = match severity {
                Severity::Error => Level::ERROR,
                Severity::Hint => Level::WARNING.with_name("hint"),
            };
            let span = self.shown(problem.span.clone());
            let snippet =
                Snippet::source(&self.text).path(&self.name).annotation(AnnotationKind::Primary.span(span).label(format!("allowed: {}", problem.allowed)));
            let mut group = level.primary_title(&problem.message).element(snippet);
            if let Some(help) = &problem.help {
                group = group.element(Level::HELP.message(help));
            }
            text.push_str(&renderer.render(&[group]));
            text.push_str("\n\n");
        }
        text
    }

    /// The part of a span that is worth underlining: its first line, on character borders.
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
