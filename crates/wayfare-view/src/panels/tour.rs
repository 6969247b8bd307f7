//! The guided tour: short steps, each a scene with a text, its formula and something to try.

use eframe::egui::{
    self, Button, FontId, Panel, RichText, ScrollArea, TextFormat, Ui, text::LayoutJob, vec2,
};

use crate::action::Action;
use crate::panels::tour::steps::{Offer, STEPS, Step};
use crate::platform::services;
use crate::render::theme::TOUCH;

/// The page of behaviors, which has the formulas.
const PAGE: &str = include_str!("tour/behaviors.md");
/// Its address on the web.
const ADDRESS: &str = concat!(env!("CARGO_PKG_REPOSITORY"), "/blob/main/docs/behaviors.md");

/// The state of the tour.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tour {
    /// Whether a step is shown.
    on: bool,
    /// Index of the step; kept while the tour is off, as it goes on there.
    step: usize,
}

impl Tour {
    pub(crate) fn is_on(&self) -> bool {
        self.on
    }

    /// The step that is shown or that the tour goes on with.
    pub(crate) fn step(&self) -> &'static Step {
        &STEPS[self.step]
    }

    /// Number of the shown step, counted from 1, as in the page's address.
    pub(crate) fn number(&self) -> Option<usize> {
        self.on.then_some(self.step + 1)
    }

    /// Shows a step by index, at most the last one.
    pub(crate) fn go_to(&mut self, step: usize) {
        *self = Self { on: true, step: step.min(STEPS.len() - 1) };
    }

    /// Shows the step that the tour was left at.
    pub(crate) fn start(&mut self) -> &'static Step {
        self.on = true;
        self.step()
    }

    /// Shows the next step; returns whether there was one. After the last one the tour ends and
    /// begins at the first one next time.
    pub(crate) fn forward(&mut self) -> bool {
        let more = self.step + 1 < STEPS.len();
        *self = Self { on: more, step: if more { self.step + 1 } else { 0 } };
        more
    }

    pub(crate) fn back(&mut self) {
        self.step = self.step.saturating_sub(1);
    }

    pub(crate) fn end(&mut self) {
        self.on = false;
    }

    /// Ends the tour if the opened scene is not that of its step.
    pub(crate) fn scene_opened(&mut self, name: &str) {
        self.on &= self.step().scene == name;
    }

    /// Shows the card of the step, beside the picture or on a narrow screen below it. With a side
    /// panel open as well, a narrow screen shows only what to try.
    pub(crate) fn show(&self, ui: &mut Ui, narrow: bool, side_open: bool) -> Vec<Action> {
        let mut actions = Vec::new();
        let height = ui.available_height();
        let content = |ui: &mut Ui| {
            ui.add_space(6.0);
            self.navigation(ui, &mut actions);
            let height = if narrow { 0.4 * height } else { f32::INFINITY };
            let scroll = ScrollArea::vertical()
                .id_salt(("tour", self.step))
                .max_height(height)
                .auto_shrink([false, narrow]);
            let shown = scroll.show(ui, |ui| card(ui, self.step(), narrow, narrow && side_open));
            services::mark_control("tour:card", shown.inner_rect);
            ui.add_space(6.0);
            match shown.inner {
                Some(Offer::Setting(name)) => actions.push(Action::FindSetting(name)),
                Some(Offer::Compare) => actions.push(Action::ToggleComparison),
                None => {}
            }
        };
        if narrow {
            Panel::bottom("tour").show(ui, content);
        } else {
            Panel::left("tour").resizable(true).default_size(330.0).show(ui, content);
        }
        actions
    }

    /// The buttons of the tour, at the same position in each step.
    fn navigation(&self, ui: &mut Ui, actions: &mut Vec<Action>) {
        let last = STEPS.len() - 1;
        let size = vec2(64.0, TOUCH);
        ui.horizontal(|ui| {
            let back = ui
                .add_enabled(self.step > 0, Button::new("Back").min_size(size))
                .on_hover_text("The previous step (Page up)");
            services::mark_control("tour-back", back.rect);
            ui.label(RichText::new(format!("{} of {}", self.step + 1, STEPS.len())).strong());
            let accent = ui.visuals().selection;
            let text = RichText::new(if self.step == last { "Finish" } else { "Next" })
                .strong()
                .color(accent.stroke.color);
            let next = ui
                .add(Button::new(text).fill(accent.bg_fill).min_size(size))
                .on_hover_text("The next step (Page down)");
            services::mark_control("tour-next", next.rect);
            ui.with_layout(egui::Layout::right_to_left(egui::Align::Center), |ui| {
                let end = ui
                    .add(Button::new("End").min_size(vec2(TOUCH, TOUCH)))
                    .on_hover_text("Leave the tour (U); next time it goes on here");
                services::mark_control("tour-end", end.rect);
                if end.clicked() {
                    actions.push(Action::EndTour);
                }
            });
            if back.clicked() {
                actions.push(Action::TourBack);
            } else if next.clicked() {
                actions.push(Action::TourForward);
            }
        });
    }
}

impl Step {
    /// The first paragraph of the step's section.
    fn paragraph(&self) -> Option<&'static str> {
        let sections = PAGE.split("\n## ").skip(1);
        let body = sections
            .filter_map(|section| section.split_once("\n\n"))
            .find(|(heading, _)| *heading == self.section)?
            .1;
        body.split("\n\n").next()
    }

    /// The formula: the text of that paragraph from its first colon to the end of the sentence,
    /// with one line per part.
    fn formula(&self) -> Option<String> {
        let paragraph = self.paragraph()?.replace('\n', " ");
        let (_, rest) = paragraph.split_once(": ")?;
        Some(rest.split(". ").next()?.trim_end_matches('.').replace("; ", "\n"))
    }

    /// The address of the section.
    fn link(&self) -> String {
        format!("{ADDRESS}#{}", self.section.replace(' ', "-"))
    }
}

/// Shows a step: text, formula, and something to try. Returns the offer if its button was clicked.
fn card(ui: &mut Ui, step: &Step, narrow: bool, only_attempt: bool) -> Option<Offer> {
    // A finger that moves over text scrolls instead of selecting.
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
    // On a narrow screen the end of the card is below the fold.
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
    // The site of the book opens the chapter in place of this address.
    let label = format!("Read more: {}", step.section);
    let link = egui::Hyperlink::from_label_and_url(label, step.link()).open_in_new_tab(true);
    let link = ui.add(link);
    services::mark_control("tour-link", link.rect);
    wanted
}

/// Shows what to try, and a button that opens what it needs.
fn attempt(ui: &mut Ui, step: &Step) -> Option<Offer> {
    ui.label(RichText::new("Try it").strong());
    ui.label(prose(ui, step.attempt));
    let words = match step.offer? {
        Offer::Setting(name) => format!("Set {name}"),
        Offer::Compare => "Compare".to_string(),
    };
    let button = ui.add(Button::new(words).min_size(vec2(TOUCH, TOUCH)));
    services::mark_control("tour-offer", button.rect);
    ui.add_space(4.0);
    if button.clicked() { step.offer } else { None }
}

/// A text with its parts between backticks in a monospaced font.
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

pub(crate) mod steps;
