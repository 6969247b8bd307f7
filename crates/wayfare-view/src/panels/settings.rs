//! Everything that can be set in the scene, as sliders and fields.
//!
//! They are drawn from the fields of the scene's draft, which come from the descriptions of the
//! format and of the behaviors: a new behavior is here at once.

use eframe::egui::collapsing_header::CollapsingState;
use eframe::egui::{
    Align, Button, CollapsingHeader, DragValue, Id, Label, Layout, Response, RichText, ScrollArea,
    Sense, Ui,
};
use wayfare::crowd::{KeyPath, KeySegment, ValidationError};
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare_scene::Format;
use wayfare_scene::edit::{BehaviorEntry, BehaviorList, Control, ControlKind, Draft, Value};

use crate::app::Gallery;
use crate::panels::side::Side;
use crate::platform::host;
use crate::render::theme::TOUCH;
use crate::session::scene::Edit;

mod control;

/// So many parts of a list, such as obstacles, are shown.
const MOST: usize = 40;

/// What the panel was drawn from last, and what it remembers.
#[derive(Default)]
pub(crate) struct Settings {
    of: Option<String>,
    fields: Vec<Control>,
    /// Of each field whether it is as it was when the scene was opened.
    original: Vec<bool>,
    lists: Vec<BehaviorList>,
    filter: String,
    /// What was refused last, and why.
    refused: Option<ValidationError>,
}

impl Settings {
    /// The fields of `draft`, taken again when its text has changed.
    fn follow(&mut self, draft: &Draft) {
        if self.of.as_deref() != Some(draft.text()) {
            (self.fields, self.lists) = (draft.controls(), draft.lists());
            self.original = self
                .fields
                .iter()
                .map(|field| {
                    draft.original_value(&field.key_path)
                        == field.value.clone().filter(|_| field.given)
                })
                .collect();
            self.of = Some(draft.text().to_string());
        }
    }
}

impl Gallery {
    /// Opens the panel with those settings that have this name.
    pub(crate) fn find_setting(&mut self, name: &str) {
        self.side = Some(Side::Settings);
        self.settings.filter = name.to_string();
    }

    pub(crate) fn settings(&mut self, ui: &mut Ui) {
        let mut settings = std::mem::take(&mut self.settings);
        let Some(live) = self.live() else { return };
        settings.follow(live.draft());
        let mut wish = None;
        ui.horizontal(|ui| {
            let filter = control::line(&mut settings.filter)
                .hint_text("Find a setting")
                .desired_width(ui.available_width() - 90.0);
            host::place("find-setting", ui.add(filter).rect);
            let all = ui.add_enabled(settings.original.contains(&false), Button::new("Reset all"));
            host::place("reset-all", all.rect);
            if all.on_hover_text("Everything as the scene was opened").clicked() {
                wish = Some((Edit::RestoreAll, true));
            }
        });
        if let Some(fault) = &settings.refused {
            ui.colored_label(ui.visuals().error_fg_color, fault.to_string());
        }
        let mut sheet = Sheet { settings: &settings, wish };
        let filter = settings.filter.trim().to_lowercase();
        if filter.is_empty() {
            CollapsingHeader::new("scene")
                .default_open(false)
                .show(ui, |ui| sheet.rows(ui, &KeyPath::default()));
            sheet.parts(ui, &KeyPath::default());
        } else {
            // Those of that name come first, then those whose place or description has the words.
            let rank = |field: &Control| match field.name() {
                name if name == filter => Some(0),
                name if name.contains(&filter) => Some(1),
                _ => (field.key_path.to_string().contains(&filter)
                    || field.doc.to_lowercase().contains(&filter))
                .then_some(2),
            };
            let mut found: Vec<(u8, usize)> = settings
                .fields
                .iter()
                .enumerate()
                .filter_map(|(i, field)| Some((rank(field)?, i)))
                .collect();
            found.sort_unstable();
            // Whoever gives a whole name wants no others.
            if found.first().is_some_and(|(rank, _)| *rank == 0) {
                found.retain(|(rank, _)| *rank == 0);
            }
            if found.is_empty() {
                ui.label("No setting has these words.");
            }
            for (_, i) in found.into_iter().take(MOST) {
                ui.weak(sheet.way_to(&settings.fields[i].key_path));
                sheet.row(ui, i);
            }
        }
        let wish = sheet.wish.take();
        if let Some((edit, fresh)) = wish {
            let done = self.live().map(|live| live.edit(&edit, fresh));
            settings.refused = None;
            match done {
                Some(Ok(outcome)) => self.came_of(outcome),
                Some(Err(fault)) => settings.refused = Some(fault),
                None => {}
            }
        }
        self.settings = settings;
    }
}

/// The panel while it is drawn.
struct Sheet<'a> {
    settings: &'a Settings,
    /// What a person wants changed, and whether it is a step of its own.
    wish: Option<(Edit, bool)>,
}

impl Sheet<'_> {
    /// The fields that stand at `place` itself.
    fn rows(&mut self, ui: &mut Ui, place: &KeyPath) {
        let fields = &self.settings.fields;
        let own = fields.iter().enumerate().filter(|(_, field)| {
            field.key_path.0.len() == place.0.len() + 1 && field.key_path.0.starts_with(&place.0)
        });
        for (i, field) in own {
            // A table that is there is shown by its parts; a switch stands at the head of its
            // behavior.
            let parted =
                matches!(field.kind, ControlKind::Structure { .. }) && self.parted(&field.key_path);
            let switch = field.name() == "off" && field.kind == ControlKind::Flag;
            if !parted && !switch {
                self.row(ui, i);
            }
        }
    }

    fn parted(&self, place: &KeyPath) -> bool {
        self.settings.fields.iter().any(|field| {
            field.key_path.0.len() > place.0.len() && field.key_path.0.starts_with(&place.0)
        })
    }

    /// The tables and lists inside `place`, each under a heading.
    fn parts(&mut self, ui: &mut Ui, place: &KeyPath) {
        let mut parts: Vec<KeyPath> = Vec::new();
        let settings = self.settings;
        let lists = settings.lists.iter().map(|list| &list.key_path);
        for inner in settings.fields.iter().map(|field| &field.key_path).chain(lists) {
            let Some(rest) = inner.0.strip_prefix(place.0.as_slice()) else { continue };
            let take = match rest {
                [KeySegment::Name(_), KeySegment::At(_), ..] => 2,
                [KeySegment::Name(name), ..] if name == "steer" || name == "all" => 1,
                [KeySegment::Name(_), _, ..] => 1,
                _ => continue,
            };
            let part = match rest {
                // A list of behaviors is one part.
                [KeySegment::Name(name), ..] if name == "steer" || name == "all" => {
                    place.key(name.clone())
                }
                rest => KeyPath([&place.0, &rest[..take]].concat()),
            };
            if !parts.contains(&part) {
                parts.push(part);
            }
        }
        // Who moves comes before what stands in the way.
        parts.sort_by_key(|part| matches!(part.0.first(), Some(KeySegment::Name(name)) if !["bounds", "pointer", "group"].contains(&name.as_str())));
        let mut shown = 0;
        for part in parts {
            if let Some(list) = settings.lists.iter().find(|list| list.key_path == part) {
                self.list(ui, list);
                continue;
            }
            shown += usize::from(matches!(part.0.last(), Some(KeySegment::At(_))));
            if shown > MOST {
                ui.weak("… and more, in the text");
                break;
            }
            let named = |name: &str| part.0.contains(&KeySegment::Name(name.to_string()));
            let open = named("steer") || (part.0.len() == 2 && named("group"));
            let heading = RichText::new(self.heading(&part)).strong();
            let header = CollapsingHeader::new(heading)
                .id_salt(part.to_string())
                .default_open(open)
                .show(ui, |ui| {
                    // What a group does comes before what its members are like.
                    let group = part.0.len() == 2 && named("group");
                    if group {
                        self.parts(ui, &part);
                    }
                    self.rows(ui, &part);
                    if !group {
                        self.parts(ui, &part);
                    }
                });
            host::place(&format!("part:{part}"), header.header_response.rect);
        }
    }

    /// `group "hunter"`, `obstacle 3`, `bounds`.
    fn heading(&self, part: &KeyPath) -> String {
        let name = self
            .settings
            .fields
            .iter()
            .find(|field| field.key_path == part.key("name"))
            .and_then(|field| field.value.as_ref()?.text());
        match part.0.as_slice() {
            [.., KeySegment::Name(what), KeySegment::At(_)] if name.is_some() => {
                format!("{what} “{}”", name.unwrap_or_default())
            }
            [.., KeySegment::Name(what), KeySegment::At(i)] => format!("{what} {i}"),
            [.., KeySegment::Name(what)] => what.clone(),
            _ => part.to_string(),
        }
    }

    /// Where a field is, in the names that people know: `group “hasty”, arrive`.
    fn way_to(&self, place: &KeyPath) -> String {
        let parts = (1..place.0.len()).filter_map(|end| {
            let part = KeyPath(place.0[..end].to_vec());
            match (&part.0[end - 1], place.0.get(end)) {
                (KeySegment::Name(_), Some(KeySegment::At(_))) => None,
                (KeySegment::At(_), _) if matches!(&part.0[end - 2], KeySegment::Name(name) if name == "steer" || name == "all") => None,
                _ => Some(self.heading(&part)),
            }
        });
        let way: Vec<String> = parts.collect();
        if way.is_empty() { "scene".to_string() } else { way.join(", ") }
    }

    /// A list of behaviors: each with its switch, its place in the order and its parameters, and
    /// how to add one.
    fn list(&mut self, ui: &mut Ui, list: &BehaviorList) {
        let count = list.entries.len();
        for (i, entry) in list.entries.iter().enumerate() {
            self.behavior(ui, list, i, entry, count);
        }
        let menu = ui.menu_button("Add a behavior", |ui| {
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                for known in Behavior::<Vec2>::LIST {
                    let button = ui.button(known.name).on_hover_text(plain(known.doc));
                    host::place(&format!("add:{}", known.name), button.rect);
                    if button.clicked() {
                        // A queue has to be the last.
                        let last_queues =
                            list.entries.last().is_some_and(|last| last.behavior == "queue");
                        let at = if last_queues { count.saturating_sub(1) } else { count };
                        self.wish = Some((
                            Edit::Add(list.key_path.clone(), at, known.name.to_string()),
                            true,
                        ));
                        ui.close();
                    }
                }
            });
        });
        host::place(&format!("add:{}", list.key_path), menu.response.rect);
    }

    fn behavior(
        &mut self,
        ui: &mut Ui,
        list: &BehaviorList,
        i: usize,
        entry: &BehaviorEntry,
        count: usize,
    ) {
        let id = Id::unique(("behavior", entry.key_path.to_string()));
        let state = CollapsingState::load_with_default_open(ui.ctx(), id, true);
        let header = state.show_header(ui, |ui| {
            let mut on = !entry.off;
            let switch = ui.checkbox(&mut on, "").on_hover_text("On or off: what is written stays");
            host::place(&format!("on:{}", entry.key_path), switch.rect);
            if switch.changed() {
                self.wish = Some((Edit::Switch(entry.key_path.clone(), on), true));
            }
            let name = if entry.off {
                RichText::new(&entry.behavior).strikethrough().weak()
            } else {
                RichText::new(&entry.behavior).strong()
            };
            ui.label(name).on_hover_text(plain(&entry.doc));
            let button = |ui: &mut Ui, name: &str, text: &str, what: &str, enabled: bool| {
                let button = ui.add_enabled(enabled, Button::new(text).small()).on_hover_text(what);
                host::place(&format!("{name}:{}", entry.key_path), button.rect);
                button.clicked()
            };
            if button(ui, "up", "⬆", "Earlier in the list", i > 0) {
                self.wish = Some((Edit::Move(entry.key_path.clone(), i - 1), true));
            }
            if button(ui, "down", "⬇", "Later in the list", i + 1 < count) {
                self.wish = Some((Edit::Move(entry.key_path.clone(), i + 1), true));
            }
            if button(ui, "remove", "×", "Take it out of the list", true) {
                self.wish = Some((Edit::Remove(entry.key_path.clone()), true));
            }
        });
        header.body(|ui| {
            let own = list.key_path.at(i);
            // Its parameters stand in a table of its name.
            self.rows(ui, &own.key(entry.behavior.clone()));
            self.parts(ui, &own.key(entry.behavior.clone()));
            self.rows(ui, &own);
        });
    }

    /// A field: its name, its control, and what else can be done with it.
    fn row(&mut self, ui: &mut Ui, i: usize) {
        let (field, original) = (&self.settings.fields[i], self.settings.original[i]);
        ui.horizontal(|ui| {
            let name = if original {
                RichText::new(field.name())
            } else {
                RichText::new(field.name()).strong()
            };
            let width = (0.36 * ui.available_width()).clamp(90.0, 160.0);
            let label = Label::new(name).truncate().sense(Sense::hover());
            ui.allocate_ui_with_layout(
                [width, TOUCH].into(),
                Layout::left_to_right(Align::Center),
                |ui| {
                    ui.set_min_width(width);
                    ui.add(label).on_hover_text(about(field));
                },
            );
            let menu = ui.menu_button("…", |ui| {
                ui.label(about(field));
                ui.separator();
                if ui.add_enabled(!original, Button::new("As the scene was opened")).clicked() {
                    self.wish = Some((Edit::Restore(field.key_path.clone()), true));
                    ui.close();
                }
                if ui
                    .add_enabled(field.given && !field.required, Button::new("The default"))
                    .clicked()
                {
                    self.wish = Some((Edit::Reset(field.key_path.clone()), true));
                    ui.close();
                }
                if let ControlKind::Number(number) = &field.kind
                    && number.may_vary
                    && let Some(value) = &field.value
                {
                    let (words, other) = match control::spread(value) {
                        Some([low, high]) => ("The same for all", Value::from(0.5 * (low + high))),
                        None => (
                            "Each draws its own",
                            control::uniform(
                                value.number().map_or([1.0, 2.0], |x| [0.8 * x, 1.2 * x]),
                            ),
                        ),
                    };
                    if ui.button(words).clicked() {
                        self.wish = Some((Edit::Set(field.key_path.clone(), other), true));
                        ui.close();
                    }
                }
            });
            host::place(&format!("more:{}", field.key_path), menu.response.rect);
            if let Some((value, fresh)) = self.control(ui, field) {
                self.wish = Some((Edit::Set(field.key_path.clone(), value), fresh));
            }
        });
    }
}

/// What a field does, in which unit, and what is allowed.
fn about(field: &Control) -> String {
    let mut text = plain(&field.doc);
    let unit = field.unit().name();
    if !unit.is_empty() {
        text += &format!("\nunit: {unit}");
    }
    match &field.kind {
        ControlKind::Number(number) => text += &format!("\nallowed: {}", number.range),
        ControlKind::Integer { range: [least, most], .. } => {
            text += &format!("\nallowed: {least} to {most}")
        }
        ControlKind::Choice(words) => text += &format!("\nallowed: {}", words.join(", ")),
        _ => {}
    }
    match &field.default {
        Some(default) => text += &format!("\ndefault: {}", default.write(Format::Toml)),
        None if field.required => text += "\nno default: it is always given",
        None => {}
    }
    text
}

/// Markdown without its marks.
fn plain(doc: &str) -> String {
    doc.replace(['`', '*'], "")
}

/// A number that is dragged or typed.
fn drag(ui: &mut Ui, value: &mut f64, [least, most]: [f64; 2], usual: [f64; 2]) -> Response {
    let speed = ((usual[1] - usual[0]) / 300.0).max(1e-4);
    ui.add(DragValue::new(value).speed(speed).range(least..=most).max_decimals(3))
}

#[cfg(test)]
mod tests;
