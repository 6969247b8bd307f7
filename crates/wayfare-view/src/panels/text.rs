//! The text panel: the scene's text with highlighting, mistakes and completion. A change takes
//! effect as soon as the text is valid; until then the last valid scene goes on.

use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    self, Align, Align2, Area, FontId, Frame, Galley, Id, Key, Margin, Modifiers, Order, Pos2,
    RichText, Stroke, TextBuffer, TextEdit, Ui, vec2,
};
use wayfare_scene::{Completions, Format, Problem, Source, complete, short};

use crate::action::Action;
use crate::panels::layout::is_narrow;
use crate::platform::services;
use crate::render::theme::Theme;

/// The text as it is typed.
#[derive(Default)]
pub(crate) struct Editor {
    typed: String,
    /// The scene's text that the typing began with.
    source: Option<String>,
    /// The mistakes in the typed text.
    problems: Vec<Problem>,
    /// When the text was last changed (seconds); quick changes are one undo step.
    last: f64,
    /// The completions at the cursor, and the selected one.
    completions: Completions,
    selected: usize,
    /// Whether the arrow keys have selected it: only then Enter takes it; otherwise Enter is a
    /// line break.
    moved: bool,
    /// Whether the panel has to scroll to the cursor, which something else than a key has moved.
    follow: bool,
}

/// Number of completions shown at a time.
const SHOWN_COMPLETIONS: usize = 8;

/// Number of mistakes shown.
const MOST_PROBLEMS: usize = 3;

/// Width of the line numbers (points).
const NUMBERS: i8 = 32;

/// After a pause of this length (seconds) typing begins another undo step.
const PAUSE: f64 = 1.0;

/// The text field.
fn text_id() -> Id {
    Id::unique("scene-text")
}

impl Editor {
    /// Whether the typed text has mistakes.
    pub(crate) fn has_mistakes(&self) -> bool {
        !self.problems.is_empty()
    }

    /// The mistakes in the typed text.
    #[cfg(test)]
    pub(crate) fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Notes the result of the last [`Action::ReplaceText`].
    pub(crate) fn set_result(&mut self, result: Result<(), Vec<Problem>>) {
        match result {
            Ok(()) => (self.source, self.problems) = (Some(self.typed.clone()), Vec::new()),
            Err(problems) => self.problems = problems,
        }
    }

    /// Shows the mistakes in the typed text, or how completion works; `name` is the scene's.
    pub(crate) fn show_problems(&mut self, ui: &mut Ui, name: &str) {
        if self.problems.is_empty() {
            let more = if is_narrow(ui.ctx()) { "" } else { "; Ctrl+Space completes" };
            ui.label(RichText::new(format!("Changes take effect at once{more}.")).weak());
        }
        let source = Source { name: name.to_string(), text: self.typed.clone() };
        for (i, problem) in self.problems.iter().enumerate().take(MOST_PROBLEMS) {
            let (line, column) = source.line_and_column(problem.span.start);
            let text = format!(
                "line {line}, column {column}: {}\nallowed: {}",
                short(&problem.message, 200),
                short(&problem.allowed, 200)
            );
            let text = RichText::new(text).color(ui.visuals().error_fg_color);
            let label = ui.add(egui::Button::new(text).wrap().frame(false));
            services::mark_control(&format!("problem:{i}"), label.rect);
            if label.on_hover_text("Go there").clicked() {
                move_cursor(ui, text_id(), &self.typed, problem.span.start);
                self.follow = true;
            }
        }
        if self.problems.len() > MOST_PROBLEMS {
            ui.label(format!("and {} more", self.problems.len() - MOST_PROBLEMS));
        }
    }

    /// Shows the text; `scene_text` is that of the scene.
    pub(crate) fn show(&mut self, ui: &mut Ui, scene_text: &str, format: Format) -> Vec<Action> {
        if self.source.as_deref() != Some(scene_text) {
            // A setting or undo has changed the scene.
            (self.typed, self.source, self.problems) =
                (scene_text.to_string(), Some(scene_text.to_string()), Vec::new());
        }
        let taken = self.completion_keys(ui);
        let theme = Theme::of(ui.visuals().dark_mode);
        let problems = self.problems.clone();
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, width: f32| {
            highlighted(ui, text.as_str(), width, &problems, &theme)
        };
        let field = TextEdit::multiline(&mut self.typed)
            .id(text_id())
            .code_editor()
            .desired_width(f32::INFINITY)
            .desired_rows(24)
            .margin(Margin { left: NUMBERS, ..Margin::symmetric(4, 2) })
            .layouter(&mut layouter);
        let shown = field.show(ui);
        let seen = ui.clip_rect().y_range().expand(20.0);
        for (number, y) in line_numbers(&shown.galley) {
            let at = shown.galley_pos + vec2(-6.0, y);
            if !seen.contains(at.y) {
                continue;
            }
            let (font, color) = (FontId::monospace(10.5), ui.visuals().weak_text_color());
            let drawn = ui.painter().text(at, Align2::RIGHT_TOP, number, font, color);
            services::mark_control(&format!("line:{number}"), drawn);
        }
        let field = &shown.response.response;
        services::mark_control("scene-text", field.rect);
        let mut changed = field.changed();
        let cursor = shown.cursor_range.map(|range| range.primary);
        let asked =
            field.has_focus() && ui.input_mut(|i| i.consume_key(Modifiers::CTRL, Key::Space));
        if changed || asked {
            let byte = cursor.map_or(0, |cursor| byte_of(&self.typed, cursor.index.0));
            self.complete_at(byte, asked, format);
        } else if !field.has_focus() && taken.is_none() {
            self.completions = Completions::default();
        }
        let mut taken = taken;
        let caret = cursor.map(|cursor| {
            shown.galley.pos_from_cursor(cursor).translate(shown.galley_pos.to_vec2())
        });
        if let Some(caret) = caret {
            services::mark_control("caret", caret);
            if std::mem::take(&mut self.follow) {
                ui.scroll_to_rect(caret, Some(Align::Center));
            }
        } else if self.follow {
            // The click on the mistake has taken the focus from the text.
            ui.memory_mut(|memory| memory.request_focus(text_id()));
        }
        if let Some(caret) = caret.filter(|_| !self.completions.candidates.is_empty()) {
            let at = caret.left_bottom();
            taken = taken.or(self.completion_list(ui, at));
        }
        if let Some(taken) = taken {
            self.insert_completion(ui, taken);
            changed = true;
        }
        if !changed {
            return Vec::new();
        }
        let time = ui.input(|i| i.time);
        let new_step = time - self.last > PAUSE;
        self.last = time;
        vec![Action::ReplaceText(self.typed.clone(), new_step)]
    }

    /// Finds completions: while a word is typed, or wherever they are `asked` for.
    fn complete_at(&mut self, byte: usize, asked: bool, format: Format) {
        let before = self.typed[..byte].chars().next_back();
        let in_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '[');
        self.completions = if in_word || asked {
            complete(&self.typed, byte, format)
        } else {
            Completions::default()
        };
        (self.selected, self.moved) = (0, false);
    }

    /// The keys of the list of completions: the arrows select one, Tab takes it, Escape closes the
    /// list. Returns the one that is taken.
    fn completion_keys(&mut self, ui: &Ui) -> Option<usize> {
        let count = self.completions.candidates.len();
        if count == 0 {
            return None;
        }
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if pressed(Key::Escape) {
            self.completions = Completions::default();
            return None;
        }
        for (key, by) in [(Key::ArrowDown, 1), (Key::ArrowUp, count - 1)] {
            if pressed(key) {
                (self.selected, self.moved) = ((self.selected + by) % count, true);
            }
        }
        (pressed(Key::Tab) || (self.moved && pressed(Key::Enter))).then_some(self.selected)
    }

    /// Shows the completions below the cursor; returns the clicked one.
    fn completion_list(&self, ui: &Ui, at: Pos2) -> Option<usize> {
        let first = self.selected.saturating_sub(SHOWN_COMPLETIONS - 1);
        let mut clicked = None;
        Area::new(Id::unique("completions")).order(Order::Foreground).fixed_pos(at).show(
            ui.ctx(),
            |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(360.0);
                    for (i, candidate) in self
                        .completions
                        .candidates
                        .iter()
                        .enumerate()
                        .skip(first)
                        .take(SHOWN_COMPLETIONS)
                    {
                        let button = ui.selectable_label(
                            i == self.selected,
                            RichText::new(&candidate.key).monospace(),
                        );
                        services::mark_control(
                            &format!("offer-key:{}", candidate.key),
                            button.rect,
                        );
                        if button.clicked() {
                            clicked = Some(i);
                        }
                    }
                    if let Some(candidate) = self
                        .completions
                        .candidates
                        .get(self.selected)
                        .filter(|candidate| !candidate.doc.is_empty())
                    {
                        ui.separator();
                        ui.label(RichText::new(candidate.doc.replace(['`', '*'], "")).weak());
                    }
                });
            },
        );
        clicked
    }

    /// Inserts a completion and moves the cursor behind it.
    fn insert_completion(&mut self, ui: &Ui, index: usize) {
        let completions = std::mem::take(&mut self.completions);
        if let Some(candidate) = completions
            .candidates
            .get(index)
            .filter(|_| self.typed.get(completions.range.clone()).is_some())
        {
            self.typed.replace_range(completions.range.clone(), &candidate.insert);
            move_cursor(
                ui,
                text_id(),
                &self.typed,
                completions.range.start + candidate.insert.len(),
            );
            self.follow = true;
        }
    }
}

/// The numbers of the text's lines, each with the offset of its first row: a long line has several.
fn line_numbers(galley: &Galley) -> impl Iterator<Item = (usize, f32)> {
    let ends = galley.rows.iter().map(|row| row.ends_with_newline);
    let begins = std::iter::once(true).chain(ends);
    let first = galley.rows.iter().zip(begins).filter(|(_, begins)| *begins);
    (1..).zip(first.map(|(row, _)| row.pos.y))
}

/// The byte offset of a character.
fn byte_of(text: &str, character: usize) -> usize {
    text.char_indices().nth(character).map_or(text.len(), |(byte, _)| byte)
}

/// Moves the cursor to a byte offset.
fn move_cursor(ui: &Ui, id: Id, text: &str, byte: usize) {
    let at = text.get(..byte).map_or(0, |before| before.chars().count());
    if let Some(mut state) = egui::text_edit::TextEditState::load(ui.ctx(), id) {
        state.cursor.set_char_range(Some(CCursorRange::one(CCursor::new(at))));
        state.store(ui.ctx(), id);
    }
    ui.memory_mut(|memory| memory.request_focus(id));
}

/// The text with colors for headings, keys and comments, and with mistakes underlined.
fn highlighted(
    ui: &Ui,
    text: &str,
    width: f32,
    problems: &[Problem],
    theme: &Theme,
) -> Arc<Galley> {
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
        // Pieces are cut at the ends of mistakes.
        let mut cuts: Vec<usize> = problems
            .iter()
            .flat_map(|p| [p.span.start, p.span.end.max(p.span.start + 1)])
            .filter(|cut| range.contains(cut))
            .collect();
        cuts.retain(|&cut| text.is_char_boundary(cut));
        cuts.extend([range.start, range.end]);
        cuts.sort_unstable();
        cuts.dedup();
        for part in cuts.windows(2) {
            let wrong = problems
                .iter()
                .any(|p| p.span.start < part[1] && p.span.end.max(p.span.start + 1) > part[0]);
            let format = TextFormat {
                underline: if wrong { error } else { Stroke::NONE },
                ..TextFormat::simple(font.clone(), color)
            };
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

/// Cuts a text into pieces that cover all of it. Approximate, which is enough for colors.
fn pieces(text: &str) -> Vec<(std::ops::Range<usize>, Piece)> {
    let mut pieces = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = line.len() - line.trim_start().len();
        let comment = comment_of(line).unwrap_or(line.len());
        let code = &line[..comment];
        if code.trim_start().starts_with('[')
            && code.trim_end().ends_with(']')
            && !code.contains('=')
        {
            pieces.push((at..at + comment, Piece::Heading));
        } else if let Some(equals) = code.find('=').filter(|&equals| {
            code[..equals].trim().chars().all(|c| c.is_alphanumeric() || "_.-\"".contains(c))
        }) {
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

/// The byte offset of a line's comment: a `#` outside of strings.
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
    fn the_pieces_cover_the_whole_text() {
        let text = "# a scene\n[[group]] # walkers\nname = \"a # b\" # c\n  max_speed = 3\nspawn \
                    = { points = [\n  [0, 0], # here\n] }\nü = 1\n\n= x";
        let found = pieces(text);
        let whole: String = found.iter().map(|(range, _)| &text[range.clone()]).collect();
        assert_eq!(whole, text);
        let of = |kind| {
            found
                .iter()
                .filter(|(_, k)| *k == kind)
                .map(|(range, _)| text[range.clone()].trim())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            of(Piece::Comment).into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>(),
            ["# a scene", "# walkers", "# c", "# here"]
        );
        assert_eq!(of(Piece::Heading), ["[[group]]"]);
    }
}
