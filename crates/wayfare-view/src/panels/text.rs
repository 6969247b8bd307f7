//! The scene as it is written: what is typed counts as soon as it is a scene, and until then the
//! last one that was goes on.

use std::sync::Arc;

use eframe::egui::text::{CCursor, CCursorRange, LayoutJob, TextFormat};
use eframe::egui::{
    self, Area, FontId, Frame, Galley, Id, Key, Modifiers, Order, Pos2, RichText, Stroke,
    TextBuffer, TextEdit, Ui,
};
use wayfare_scene::{Completions, Format, Problem, Source, complete, short};

use crate::app::Gallery;
use crate::panels::controls::narrow;
use crate::platform::host;
use crate::render::theme::Theme;

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
    /// What can be typed where the cursor stands, and which of it is chosen.
    offers: Completions,
    chosen: usize,
    /// Whether the arrow keys have chosen it: only then Enter takes it, and is a line break
    /// otherwise.
    moved: bool,
}

/// So many candidates are shown at a time.
const OFFERED: usize = 8;

/// Typing that rests for so long (seconds) begins another step of undo.
const REST: f64 = 1.0;

impl Gallery {
    /// What is wrong with what was typed, and what could be typed.
    pub(crate) fn problems(&mut self, ui: &mut Ui) {
        let editor = &self.editor;
        if editor.problems.is_empty() {
            let more =
                if narrow(ui.ctx()) { "" } else { "; Ctrl+Space offers what can stand here" };
            ui.label(RichText::new(format!("What you type counts at once{more}.")).weak());
        }
        let source = Source { name: self.name.clone(), text: editor.typed.clone() };
        for (i, problem) in editor.problems.iter().enumerate().take(3) {
            let (line, column) = source.line_and_column(problem.span.start);
            let text = format!(
                "line {line}, column {column}: {}\nallowed: {}",
                short(&problem.message, 200),
                short(&problem.allowed, 200)
            );
            let label = ui.add(
                egui::Button::new(RichText::new(text).color(ui.visuals().error_fg_color))
                    .wrap()
                    .frame(false),
            );
            host::place(&format!("problem:{i}"), label.rect);
            if label.on_hover_text("Go there").clicked() {
                go_to(ui, Id::unique("scene-text"), &editor.typed, problem.span.start);
            }
        }
        if editor.problems.len() > 3 {
            ui.label(format!("and {} more", editor.problems.len() - 3));
        }
    }

    pub(crate) fn text(&mut self, ui: &mut Ui) {
        let mut editor = std::mem::take(&mut self.editor);
        let Some(live) = self.live() else { return };
        let now = live.draft().text();
        if editor.of.as_deref() != Some(now) {
            // A slider, or undo, has changed it.
            (editor.typed, editor.of, editor.problems) =
                (now.to_string(), Some(now.to_string()), Vec::new());
        }
        let id = Id::unique("scene-text");
        let taken = editor.choose(ui);
        let theme = Theme::of(ui.visuals().dark_mode);
        let problems = editor.problems.clone();
        let mut layouter = |ui: &Ui, text: &dyn TextBuffer, width: f32| {
            colored(ui, text.as_str(), width, &problems, &theme)
        };
        let field = TextEdit::multiline(&mut editor.typed)
            .id(id)
            .code_editor()
            .desired_width(f32::INFINITY)
            .desired_rows(24)
            .layouter(&mut layouter);
        let shown = field.show(ui);
        let field = &shown.response.response;
        host::place("scene-text", field.rect);
        let format = if self.name.ends_with(".json") { Format::Json } else { Format::Toml };
        let mut changed = field.changed();
        let cursor = shown.cursor_range.map(|range| range.primary);
        let byte = cursor.map_or(0, |cursor| {
            editor
                .typed
                .char_indices()
                .nth(cursor.index.0)
                .map_or(editor.typed.len(), |(byte, _)| byte)
        });
        let asked =
            field.has_focus() && ui.input_mut(|i| i.consume_key(Modifiers::CTRL, Key::Space));
        if changed || asked {
            // While a word is typed, or wherever it is asked for.
            let in_word = editor.typed[..byte]
                .chars()
                .next_back()
                .is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '[');
            let offers = if in_word || asked {
                complete(&editor.typed, byte, format)
            } else {
                Completions::default()
            };
            (editor.offers, editor.chosen, editor.moved) = (offers, 0, false);
        } else if !field.has_focus() && taken.is_none() {
            editor.offers = Completions::default();
        }
        let mut taken = taken;
        if let Some(cursor) = cursor.filter(|_| !editor.offers.candidates.is_empty()) {
            let at =
                shown.galley_pos + shown.galley.pos_from_cursor(cursor).left_bottom().to_vec2();
            taken = taken.or(editor.offered(ui, at));
        }
        if let Some(taken) = taken {
            editor.take(ui, id, taken);
            changed = true;
        }
        if changed {
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

impl Editor {
    /// Whether what is written is no scene.
    pub(crate) fn is_wrong(&self) -> bool {
        !self.problems.is_empty()
    }

    /// What the keys do to the list of candidates: the arrows choose one, Tab takes it, and Escape
    /// closes the list.
    fn choose(&mut self, ui: &Ui) -> Option<usize> {
        let count = self.offers.candidates.len();
        if count == 0 {
            return None;
        }
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if pressed(Key::Escape) {
            self.offers = Completions::default();
            return None;
        }
        for (key, by) in [(Key::ArrowDown, 1), (Key::ArrowUp, count - 1)] {
            if pressed(key) {
                (self.chosen, self.moved) = ((self.chosen + by) % count, true);
            }
        }
        (pressed(Key::Tab) || (self.moved && pressed(Key::Enter))).then_some(self.chosen)
    }

    /// The candidates under the cursor; which one was clicked.
    fn offered(&self, ui: &Ui, at: Pos2) -> Option<usize> {
        let first = self.chosen.saturating_sub(OFFERED - 1);
        let mut clicked = None;
        Area::new(Id::unique("offers")).order(Order::Foreground).fixed_pos(at).show(
            ui.ctx(),
            |ui| {
                Frame::popup(ui.style()).show(ui, |ui| {
                    ui.set_max_width(360.0);
                    for (i, candidate) in
                        self.offers.candidates.iter().enumerate().skip(first).take(OFFERED)
                    {
                        let button = ui.selectable_label(
                            i == self.chosen,
                            RichText::new(&candidate.key).monospace(),
                        );
                        host::place(&format!("offer-key:{}", candidate.key), button.rect);
                        if button.clicked() {
                            clicked = Some(i);
                        }
                    }
                    if let Some(candidate) = self
                        .offers
                        .candidates
                        .get(self.chosen)
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

    /// Puts a candidate into the text, and the cursor behind it.
    fn take(&mut self, ui: &Ui, id: Id, chosen: usize) {
        let offers = std::mem::take(&mut self.offers);
        if let Some(candidate) =
            offers.candidates.get(chosen).filter(|_| self.typed.get(offers.range.clone()).is_some())
        {
            self.typed.replace_range(offers.range.clone(), &candidate.insert);
            go_to(ui, id, &self.typed, offers.range.start + candidate.insert.len());
        }
    }
}

/// Puts the cursor there.
fn go_to(ui: &Ui, id: Id, text: &str, byte: usize) {
    let at = text.get(..byte).map_or(0, |before| before.chars().count());
    if let Some(mut state) = egui::text_edit::TextEditState::load(ui.ctx(), id) {
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

/// The pieces of a text, which together are all of it; near enough for colors.
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
    use crate::app::screen::Screen;
    use crate::panels::side::Side;

    #[test]
    fn the_pieces_of_a_text_are_all_of_it() {
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

    #[test]
    fn an_error_is_told_with_its_place_and_the_last_good_scene_goes_on() {
        let mut screen = Screen::of("seek", Side::Text);
        let before = screen.text();
        screen.click("scene-text");
        screen.key(Key::End, Modifiers { ctrl: true, ..Modifiers::COMMAND });
        screen.type_text("\nradus = 3");
        let problems = &screen.gallery.editor.problems;
        assert!(problems.len() == 1 && problems[0].message.contains("radus"), "{problems:?}");
        host::PLACES.with_borrow(|places| assert!(places.contains_key("problem:0")));
        let tick = screen.tick();
        screen.frames(10);
        assert_eq!(screen.text(), format!("{before}\n"));
        assert!(screen.tick() > tick);
        // Mended, it counts at once.
        (0.."radus = 3".len()).for_each(|_| screen.key(Key::Backspace, Modifiers::NONE));
        assert!(
            screen.gallery.editor.problems.is_empty() && screen.text() == format!("{before}\n")
        );
    }

    #[test]
    fn what_can_stand_at_the_cursor_is_offered_and_a_key_takes_it() {
        let mut screen = Screen::of("seek", Side::Text);
        screen.click("scene-text");
        screen.key(Key::End, Modifiers { ctrl: true, ..Modifiers::COMMAND });
        screen.type_text("\n[[group.steer]]\nwan");
        let offers = &screen.gallery.editor.offers.candidates;
        assert!(
            offers.first().is_some_and(|first| first.key == "wander"),
            "{offers:?} {}",
            screen.gallery.editor.typed
        );
        screen.key(Key::Tab, Modifiers::NONE);
        assert!(screen.text().contains("[[group.steer]]\nwander = { "), "{}", screen.text());
        assert!(screen.gallery.editor.offers.candidates.is_empty());
        screen.key(Key::Z, Modifiers::COMMAND);
    }
}
