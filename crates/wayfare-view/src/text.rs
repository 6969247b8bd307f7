//! The scene as it is written: what is typed counts as soon as it is a scene, and until then the last one that was goes on.

use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{FontId, Galley, Id, RichText, Stroke, TextBuffer, TextEdit, Ui};
use wayfare_scene::{Problem, Source};

use crate::gallery::Gallery;
use crate::host;
use crate::theme::Theme;

/// What is being typed.
#[derive(Default)]
pub(crate) struct Editor {
    typed: String,
    /// The scene's text that was typed on.
    of: Option<String>,
    /// What is wrong with what was typed.
    pub(crate) problems: Vec<Problem>,
    /// When something was typed last (seconds): what follows quickly is one step of undo.
    last: f64,
}

/// Typing that rests for so long (seconds) begins another step of undo.
const REST: f64 = 1.0;

impl Gallery {
    pub(crate) fn text(&mut self, ui: &mut Ui) {
        let mut editor = std::mem::take(&mut self.editor);
        let Some(live) = self.live() else { return };
        let now = live.draft().text();
        if editor.of.as_deref() != Some(now) {
            // A slider, or undo, has changed it.
            (editor.typed, editor.of, editor.problems) = (now.to_string(), Some(now.to_string()), Vec::new());
        }
        let id = Id::unique("scene-text");
        if editor.problems.is_empty() {
            ui.label(RichText::new("What you type counts at once. Ctrl+Z takes it back.").weak());
        }
        let source = Source { name: self.name.clone(), text: editor.typed.clone() };
        for (i, problem) in editor.problems.iter().enumerate().take(5) {
            let (line, column) = source.line_and_column(problem.span.start);
            let text = format!("{line}:{column}: {}\nallowed: {}", problem.message, problem.allowed);
            let label = ui.add(eframe::egui::Button::new(RichText::new(text).color(ui.visuals().error_fg_color)).wrap().frame(false));
            host::place(&format!("problem:{i}"), label.rect);
            if label.on_hover_text("Go there").clicked() {
                go_to(ui, id, &editor.typed, problem.span.start);
            }
        }
        let theme = Theme::of(ui.visuals().dark_mode);
        let problems = editor.problems.clone();
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, width: f32| colored(ui, text.as_str(), width, &problems, &theme);
        let field = TextEdit::multiline(&mut editor.typed).id(id).code_editor().desired_width(f32::INFINITY).desired_rows(24).layouter(&mut layouter);
        let field = field.show(ui).response.response;
        host::place("scene-text", field.rect);
        if field.changed() {
            let time = ui.input(|i| i.time);
            let fresh = time - editor.last > REST;
            editor.last = time;
            match self.live().map(|live| live.retype(editor.typed.clone(), fresh)) {
                Some(Ok(outcome)) => {
                    (editor.of, editor.problems) = (Some(editor.typed.clone()), Vec::new());
                    self.came_of(outcome);
                }
                Some(Err(problems)) => editor.problems = problems,
                None => {}
            }
        }
        self.editor = editor;
    }
}

/// Puts the cursor there.
fn go_to(ui: &Ui, id: Id, text: &str, byte: usize) {
    let at = text.get(..byte).map_or(0, |before| before.chars().count());
    if let Some(mut state) = eframe::egui::text_edit::TextEditState::load(ui.ctx(), id) {
        state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(at))));
        state.store(ui.ctx(), id);
    }
    ui.memory_mut(|memory| memory.request_focus(id));
}

/// The text with its headings, keys and comments told apart, and what is wrong underlined.
fn colored(ui: &Ui, text: &str, width: f32, problems: &[Problem], theme: &Theme) -> Arc<Galley> {
    let mut job = LayoutJob::default();
    job.wrap.max_width = width;
    let font = FontId::monospace(12.5);
    let error = Stroke::new(1.5, ui.visuals().error_fg_color);
    for (range, kind) in pieces(text) {
        let color = match kind {
            Piece::Comment => ui.visuals().weak_text_color(),
            Piece::Heading => theme.group(1),
            Piece::Key => theme.group(0),
            Piece::Other => ui.visuals().text_color(),
        };
        // A piece is cut where an error begins and ends.
        let mut cuts: Vec<usize> = problems.iter().flat_map(|p| [p.span.start, p.span.end.max(p.span.start + 1)]).filter(|cut| range.contains(cut)).collect();
        cuts.retain(|&cut| text.is_char_boundary(cut));
        cuts.extend([range.start, range.end]);
        cuts.sort_unstable();
        cuts.dedup();
        for part in cuts.windows(2) {
            let wrong = problems.iter().any(|p| p.span.start < part[1] && p.span.end.max(p.span.start + 1) > part[0]);
            let format = TextFormat { underline: if wrong { error } else { Stroke::NONE }, ..TextFormat::simple(font.clone(), color) };
            job.append(&text[part[0]..part[1]], 0.0, format);
        }
    }
    ui.fonts_mut(|fonts| fonts.layout_job(job))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece {
    Comment,
    Heading,
    Key,
    Other,
}

/// The pieces of a text, which together are all of it; near enough for colors.
fn pieces(text: &str) -> Vec<(std::ops::Range<usize>, Piece)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        let comment = comment_of(line).unwrap_or(line.len());
        let code = &line[..comment];
        if code.trim_start().starts_with('[') && code.trim_end().ends_with(']') && !code.contains('=') {
            pieces.push((at..at + comment, Piece::Heading));
        } else if let Some(equals) = code.find('=').filter(|&equals| code[..equals].trim().chars().all(|c| c.is_alphanumeric() || "_.-\"".contains(c))) {
            pieces.push((at..at + start, Piece::Other));
            pieces.push((at + start..at + equals.max(start), Piece::Key));
            pieces.push((at + equals.max(start)..at + comment, Piece::Other));
        } else {
            pieces.push((at..at + comment, Piece::Other));
        }
        pieces.push((at + comment..at + line.len(), Piece::Comment));
        at += line.len();
    }
    pieces.retain(|(range, _)| !range.is_empty());
    pieces
}

/// Where the comment of a line begins: a `#` that is in no text.
fn comment_of(line: &str) -> Option<usize> {
    let mut quote = None;
    line.char_indices().find_map(|(i, c)| {
        match (quote, c) {
            (None, '#') => return Some(i),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
        None
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pieces_of_a_text_are_all_of_it() {
        let text = "# a scene\n[[group]] # walkers\nname = \"a # b\" # c\n  max_speed = 3\nspawn = { points = [\n  [0, 0], # here\n] }\nü = 1\n\n= x";
        let found = pieces(text);
        let whole: String = found.iter().map(|(range, _)| &text[range.clone()]).collect();
        assert_eq!(whole, text);
        let of = |kind| found.iter().filter(|(_, k)| *k == kind).map(|(range, _)| text[range.clone()].trim()).collect::<Vec<_>>();
        assert_eq!(of(Piece::Comment).into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>(), ["# a scene", "# walkers", "# c", "# here"]);
        assert_eq!(of(Piece::Heading), ["[[group]]"]);
    }
}
