//! The guided tour: a few short steps through the gallery, each a scene with a text, its formula,
//! and something to try.

use eframe::egui::{
    self, Button, FontId, Key, Modifiers, Panel, RichText, ScrollArea, TextFormat, Ui,
    text::LayoutJob, vec2,
};

use crate::app::{Gallery, Shown};
use crate::platform::host;
use crate::render::theme::TOUCH;

mod steps;

use steps::{Forces, Offer, STEPS, Step};

/// The page of behaviors, from which the formulas are.
const PAGE: &str = include_str!("tour/behaviors.md");
/// Where people read it.
const ADDRESS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/behaviors.md");

/// Where somebody is in the tour.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tour {
    /// Whether it is shown.
    pub(crate) on: bool,
    /// Counted from 0; where it goes on if it is not.
    step: usize,
}

impl Tour {
    /// The number of the step that is shown, from 1, as the page's address has it.
    pub(crate) fn number(&self) -> Option<usize> {
        self.on.then_some(self.step + 1)
    }
}

impl Step {
    /// The first paragraph of its section.
    fn paragraph(&self) -> Option<&'static str> {
        let sections = PAGE.split("\n## ").skip(1);
        let body = sections
            .filter_map(|section| section.split_once("\n\n"))
            .find(|(heading, _)| *heading == self.section)?
            .1;
        body.split("\n\n").next()
    }

    /// The formula: what that paragraph says after its first colon, to the end of the sentence, a
    /// line for each of its parts.
    fn formula(&self) -> Option<String> {
        let (_, rest) = self.paragraph()?.split_once(": ")?;
        Some(rest.split(". ").next()?.trim_end_matches('.').replace("; ", "\n"))
    }

    /// Where the section is read.
    fn link(&self) -> String {
        format!("{ADDRESS}#{}", self.section.replace(' ', "-"))
    }
}

impl Gallery {
    /// Shows the step of this number, counted from 0; the first or last one beyond the ends.
    pub(crate) fn tour_to(&mut self, step: usize) {
        let step = step.min(STEPS.len() - 1);
        self.tour = Tour { on: true, step };
        let Step { scene, forces, trails, .. } = STEPS[step];
        self.show(scene);
        (self.forces, self.trails) = (forces != Forces::Nobodys, trails);
        self.chosen = if let Forces::Of(id) = forces { Some(id) } else { None };
        // The card stands where the list does.
        self.list = Some(false);
    }

    /// Begins the tour where it was left, or ends it.
    pub(crate) fn turn_tour(&mut self) {
        if self.tour.on { self.end_tour() } else { self.tour_to(self.tour.step) }
    }

    fn end_tour(&mut self) {
        self.tour.on = false;
        // As the room allows.
        self.list = None;
        host::asked("tour", None);
    }

    /// Another scene was opened: who goes their own way has left the tour.
    pub(crate) fn opened_in_tour(&mut self) {
        if self.tour.on && STEPS[self.tour.step].scene != self.name {
            self.tour.on = false;
        }
        host::asked("tour", self.tour.number().map(|number| number.to_string()).as_deref());
    }

    /// One step on or back; on from the last one is the end.
    fn tour_on(&mut self, on: bool) {
        match (on, self.tour.step) {
            (true, step) if step + 1 == STEPS.len() => {
                self.end_tour();
                self.tour.step = 0;
            }
            (true, step) => self.tour_to(step + 1),
            (false, step) => self.tour_to(step.saturating_sub(1)),
        }
    }

    pub(crate) fn tour_keys(&mut self, ui: &Ui) {
        let pressed = |key| ui.input_mut(|i| i.consume_key(Modifiers::NONE, key));
        if pressed(Key::U) {
            self.turn_tour();
        }
        if self.tour.on && pressed(Key::PageDown) {
            self.tour_on(true);
        } else if self.tour.on && pressed(Key::PageUp) {
            self.tour_on(false);
        }
    }

    /// The card of the step, if the tour is on: beside the picture, on a phone's width below it.
    pub(crate) fn tour_card(&mut self, ui: &mut Ui, narrow: bool) {
        if !self.tour.on || !matches!(self.shown, Shown::Scene { .. }) {
            return;
        }
        let room = ui.available_height();
        let mut wanted = None;
        let mut content = |ui: &mut Ui| {
            ui.add_space(6.0);
            self.tour_steps(ui);
            let step = &STEPS[self.tour.step];
            // Where a panel is open below, too, the picture keeps the room: then the card has only
            // what is to be done.
            let (room, only_attempt) =
                if narrow { (0.4 * room, self.side.is_some()) } else { (f32::INFINITY, false) };
            let scroll = ScrollArea::vertical()
                .id_salt(("tour", self.tour.step))
                .max_height(room)
                .auto_shrink([false, narrow]);
            let shown = scroll.show(ui, |ui| card(ui, step, narrow, only_attempt));
            host::place("tour:card", shown.inner_rect);
            ui.add_space(6.0);
            wanted = shown.inner;
        };
        if narrow {
            Panel::bottom("tour").show(ui, content);
        } else {
            Panel::left("tour").resizable(true).default_size(330.0).show(ui, &mut content);
        }
        match wanted {
            Some(Offer::Setting(name)) => self.find_setting(name),
            Some(Offer::Compare) => self.turn_compare(),
            None => {}
        }
    }

    /// Back, how far it is, on, and the end: always in the same place.
    fn tour_steps(&mut self, ui: &mut Ui) {
        let (now, last) = (self.tour.step, STEPS.len() - 1);
        let width = 64.0;
        ui.horizontal(|ui| {
            let back = ui
                .add_enabled(now > 0, Button::new("Back").min_size(vec2(width, TOUCH)))
                .on_hover_text("The step before (Page up)");
            host::place("tour-back", back.rect);
            ui.label(RichText::new(format!("{} of {}", now + 1, STEPS.len())).strong());
            let accent = ui.visuals().selection;
            let text = RichText::new(if now == last { "Finish" } else { "Next" })
                .strong()
                .color(accent.stroke.color);
            let next = ui
                .add(Button::new(text).fill(accent.bg_fill).min_size(vec2(width, TOUCH)))
                .on_hover_text("On (Page down)");
            host::place("tour-next", next.rect);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let end = ui
                    .add(Button::new("End").min_size(vec2(TOUCH, TOUCH)))
                    .on_hover_text("Leave the tour (U); it goes on where you left it");
                host::place("tour-end", end.rect);
                if end.clicked() {
                    self.end_tour();
                }
            });
            if back.clicked() {
                self.tour_on(false);
            } else if next.clicked() {
                self.tour_on(true);
            }
        });
    }
}

/// The text of a step, its formula, and something to try; what of that a person wants opened.
fn card(ui: &mut Ui, step: &Step, narrow: bool, only_attempt: bool) -> Option<Offer> {
    // A finger that is drawn over it scrolls.
    ui.style_mut().interaction.selectable_labels = false;
    if only_attempt {
        return attempt(ui, step);
    }
    let gap = if narrow { 2.0 } else { 8.0 };
    ui.add_space(gap);
    ui.label(RichText::new(step.title).strong().size(if narrow { 16.0 } else { 20.0 }));
    ui.add_space(gap);
    ui.label(prose(ui, step.text));
    ui.add_space(gap);
    // On a phone what comes last is seen by few.
    let wanted = if narrow { attempt(ui, step) } else { None };
    egui::Frame::group(ui.style()).fill(ui.visuals().extreme_bg_color).inner_margin(8.0).show(
        ui,
        |ui| {
            ui.set_width(ui.available_width());
            if let Some(formula) = step.formula() {
                ui.label(RichText::new(formula).monospace().strong());
            }
            ui.label(RichText::new(step.symbols).size(12.5).weak());
        },
    );
    ui.add_space(gap);
    let wanted = if narrow { wanted } else { attempt(ui, step) };
    ui.add_space(gap);
    let link = ui
        .add(
            egui::Hyperlink::from_label_and_url(
                format!("More in the book: {}", step.section),
                step.link(),
            )
            .open_in_new_tab(true),
        )
        .on_hover_text(step.link());
    host::place("tour-link", link.rect);
    wanted
}

/// What there is to try, and a button for what that needs.
fn attempt(ui: &mut Ui, step: &Step) -> Option<Offer> {
    ui.label(RichText::new("Try it").strong());
    ui.label(prose(ui, step.attempt));
    let words = match step.offer? {
        Offer::Setting(name) => format!("Set {name}"),
        Offer::Compare => "Compare".to_string(),
    };
    let button = ui.add(Button::new(words).min_size(vec2(TOUCH, TOUCH)));
    host::place("tour-offer", button.rect);
    ui.add_space(4.0);
    if button.clicked() { step.offer } else { None }
}

/// A text in which what stands between backticks is set as it is written in scenes.
fn prose(ui: &Ui, text: &str) -> LayoutJob {
    let font = egui::TextStyle::Body.resolve(ui.style());
    let size = font.size + 0.5;
    let mut job = LayoutJob::default();
    for (i, part) in text.split('`').enumerate() {
        let font = if i % 2 == 1 {
            FontId::monospace(size - 1.0)
        } else {
            FontId::new(size, font.family.clone())
        };
        let mut format = TextFormat::simple(font, ui.visuals().text_color());
        format.line_height = Some(1.35 * size);
        job.append(part, 0.0, format);
    }
    job
}

#[cfg(test)]
mod tests;
