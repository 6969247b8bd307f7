//! The settings panel: everything that can be set in the scene, as sliders and fields.
//!
//! The panel is made from the fields of the scene's draft, which come from the descriptions of the
//! format and of the behaviors, so that a new behavior needs no code here.

use eframe::egui::collapsing_header::CollapsingState;
use eframe::egui::{Button, CollapsingHeader, Id, RichText, ScrollArea, Ui};
use wayfare::crowd::{KeyPath, KeySegment, ValidationError};
use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare::solve::Solver;
use wayfare_scene::edit::{BehaviorEntry, BehaviorList, Control, ControlKind, Draft, Value};
use wayfare_scene::{Format, Units};

use crate::action::Action;
use crate::panels::row;
use crate::platform::services;
use crate::session::edit::Edit;

mod control;

/// Largest number of entries of a list that are shown, such as obstacles.
const MOST: usize = 40;

/// The fields that the panel shows, and what the user has typed in it.
#[derive(Default)]
pub(crate) struct Settings {
    /// The text that the fields were read from.
    source: Option<String>,
    fields: Vec<Control>,
    /// For each field whether it has the value with which the scene was opened.
    original: Vec<bool>,
    lists: Vec<BehaviorList>,
    /// The names of the scene's units.
    units: Units,
    filter: String,
    /// Why the last edit was refused.
    refused: Option<ValidationError>,
}

impl Settings {
    /// Reads the fields of `draft` if its text has changed.
    fn update(&mut self, draft: &Draft) {
        if self.source.as_deref() != Some(draft.text()) {
            (self.fields, self.lists) = (draft.controls(), draft.lists());
            self.units.clone_from(&draft.scene().presentation().units);
            self.original = self
                .fields
                .iter()
                .map(|field| {
                    draft.original_value(&field.key_path)
                        == field.value.clone().filter(|_| field.given)
                })
                .collect();
            self.source = Some(draft.text().to_string());
        }
    }

    /// Searches for the settings with this name.
    pub(crate) fn find(&mut self, name: &str) {
        self.filter = name.to_string();
    }

    /// Notes the result of the last edit: why it was refused, if it was.
    pub(crate) fn set_refused(&mut self, refused: Option<ValidationError>) {
        self.refused = refused;
    }

    /// Shows the settings of a draft.
    pub(crate) fn show(&mut self, ui: &mut Ui, draft: &Draft) -> Vec<Action> {
        self.update(draft);
        let mut edit = None;
        ui.horizontal(|ui| {
            let filter = control::line(&mut self.filter)
                .hint_text("Find a setting")
                .desired_width(ui.available_width() - 90.0);
            services::mark_control("find-setting", ui.add(filter).rect);
            let all = ui.add_enabled(self.original.contains(&false), Button::new("Reset all"));
            services::mark_control("reset-all", all.rect);
            if all.on_hover_text("Everything as the scene was opened").clicked() {
                edit = Some((Edit::RestoreAll, true));
            }
        });
        if let Some(error) = &self.refused {
            ui.colored_label(ui.visuals().error_fg_color, error.to_string());
        }
        let mut sheet = Sheet { settings: self, edit };
        let filter = self.filter.trim().to_lowercase();
        if filter.is_empty() {
            CollapsingHeader::new("scene")
                .default_open(false)
                .show(ui, |ui| sheet.rows(ui, &KeyPath::default()));
            sheet.tables(ui, &KeyPath::default());
        } else {
            sheet.found(ui, &filter);
        }
        let edit = sheet.edit.take();
        edit.map(|(edit, new_step)| Action::Edit(edit, new_step)).into_iter().collect()
    }
}

/// The panel while it is shown.
struct Sheet<'a> {
    settings: &'a Settings,
    /// The user's edit in this frame, and whether it is a new undo step.
    edit: Option<(Edit, bool)>,
}

impl Sheet<'_> {
    /// The fields whose name, path or description contains `filter`; best matches first.
    fn found(&mut self, ui: &mut Ui, filter: &str) {
        let settings = self.settings;
        let rank = |field: &Control| match field.name() {
            name if name == filter => Some(0),
            name if name.contains(filter) => Some(1),
            _ => (field.key_path.to_string().contains(filter)
                || field.doc.to_lowercase().contains(filter))
            .then_some(2),
        };
        let ranks = settings.fields.iter().enumerate();
        let mut found: Vec<(u8, usize)> =
            ranks.filter_map(|(i, field)| Some((rank(field)?, i))).collect();
        found.sort_unstable();
        // A complete name hides weaker matches.
        if found.first().is_some_and(|(rank, _)| *rank == 0) {
            found.retain(|(rank, _)| *rank == 0);
        }
        if found.is_empty() {
            ui.label("No setting contains these words.");
        }
        for (_, i) in found.into_iter().take(MOST) {
            ui.weak(self.headings(&settings.fields[i].key_path));
            self.row(ui, i);
        }
    }

    /// The fields of the table at `path`, without those of inner tables.
    fn rows(&mut self, ui: &mut Ui, path: &KeyPath) {
        let fields = &self.settings.fields;
        let own = fields.iter().enumerate().filter(|(_, field)| {
            field.key_path.0.len() == path.0.len() + 1 && field.key_path.0.starts_with(&path.0)
        });
        for (i, field) in own {
            // A table is shown by its fields; the switch of a behavior is in its header.
            let is_table = matches!(field.kind, ControlKind::Structure { .. })
                && self.has_fields(&field.key_path);
            let switch = field.name() == "off" && field.kind == ControlKind::Flag;
            if !is_table && !switch {
                self.row(ui, i);
            }
        }
    }

    /// Whether there are fields inside `path`.
    fn has_fields(&self, path: &KeyPath) -> bool {
        self.settings.fields.iter().any(|field| {
            field.key_path.0.len() > path.0.len() && field.key_path.0.starts_with(&path.0)
        })
    }

    /// The tables and lists inside `path`, each under a heading.
    fn tables(&mut self, ui: &mut Ui, path: &KeyPath) {
        let mut tables: Vec<KeyPath> = Vec::new();
        let settings = self.settings;
        let lists = settings.lists.iter().map(|list| &list.key_path);
        for inner in settings.fields.iter().map(|field| &field.key_path).chain(lists) {
            let Some(rest) = inner.0.strip_prefix(path.0.as_slice()) else { continue };
            let take = match rest {
                [KeySegment::Name(_), KeySegment::At(_), ..] => 2,
                [KeySegment::Name(name), ..] if name == "steer" || name == "all" => 1,
                [KeySegment::Name(_), _, ..] => 1,
                _ => continue,
            };
            let table = match rest {
                // A list of behaviors is one table.
                [KeySegment::Name(name), ..] if name == "steer" || name == "all" => {
                    path.key(name.clone())
                }
                rest => KeyPath([&path.0, &rest[..take]].concat()),
            };
            if !tables.contains(&table) {
                tables.push(table);
            }
        }
        // Bounds, pointer and groups come before obstacles, paths and the rest.
        let first = ["bounds", "pointer", "group"];
        tables.sort_by_key(|table| match table.0.first() {
            Some(KeySegment::Name(name)) => !first.contains(&name.as_str()),
            _ => false,
        });
        let mut shown = 0;
        for table in tables {
            if let Some(list) = settings.lists.iter().find(|list| list.key_path == table) {
                self.list(ui, list);
                continue;
            }
            shown += usize::from(matches!(table.0.last(), Some(KeySegment::At(_))));
            if shown > MOST {
                ui.weak("… and more in the text");
                break;
            }
            let named = |name: &str| table.0.contains(&KeySegment::Name(name.to_string()));
            let open = named("steer") || (table.0.len() == 2 && named("group"));
            let heading = RichText::new(self.heading(&table)).strong();
            let header = CollapsingHeader::new(heading)
                .id_salt(table.to_string())
                .default_open(open)
                .show(ui, |ui| {
                    // The behaviors of a group come before its other settings.
                    let group = table.0.len() == 2 && named("group");
                    if group {
                        self.tables(ui, &table);
                    }
                    self.rows(ui, &table);
                    if !group {
                        self.tables(ui, &table);
                    }
                });
            services::mark_control(&format!("part:{table}"), header.header_response.rect);
        }
    }

    /// The heading of a table: `group "hunter"`, `obstacle 3`, `bounds`.
    fn heading(&self, table: &KeyPath) -> String {
        let name = self
            .settings
            .fields
            .iter()
            .find(|field| field.key_path == table.key("name"))
            .and_then(|field| field.value.as_ref()?.text());
        match table.0.as_slice() {
            [.., KeySegment::Name(kind), KeySegment::At(_)] if name.is_some() => {
                format!("{kind} “{}”", name.unwrap_or_default())
            }
            [.., KeySegment::Name(kind), KeySegment::At(i)] => format!("{kind} {i}"),
            [.., KeySegment::Name(kind)] => kind.clone(),
            _ => table.to_string(),
        }
    }

    /// The headings of the tables around a field: `group “hasty”, arrive`.
    fn headings(&self, path: &KeyPath) -> String {
        let headings = (1..path.0.len()).filter_map(|end| {
            let table = KeyPath(path.0[..end].to_vec());
            match (&table.0[end - 1], path.0.get(end)) {
                (KeySegment::Name(_), Some(KeySegment::At(_))) => None,
                (KeySegment::At(_), _) if is_behavior_list(&table.0[end - 2]) => None,
                _ => Some(self.heading(&table)),
            }
        });
        let headings: Vec<String> = headings.collect();
        if headings.is_empty() { "scene".to_string() } else { headings.join(", ") }
    }

    /// A list of behaviors: each with its switch, buttons that move it, and its parameters; and a
    /// menu that adds one.
    fn list(&mut self, ui: &mut Ui, list: &BehaviorList) {
        let count = list.entries.len();
        for (i, entry) in list.entries.iter().enumerate() {
            self.behavior(ui, list, i, entry, count);
        }
        let menu = ui.menu_button("Add a behavior", |ui| {
            ScrollArea::vertical().max_height(360.0).show(ui, |ui| {
                for known in Behavior::<Vec2>::LIST {
                    let button = ui.button(known.name).on_hover_text(plain(known.doc));
                    services::mark_control(&format!("add:{}", known.name), button.rect);
                    if button.clicked() {
                        // A solver must stay the last entry.
                        let is_solver = |name: &str| Solver::<Vec2>::from_name(name).is_some();
                        let ends_in_solver =
                            list.entries.last().is_some_and(|last| is_solver(&last.behavior));
                        let at = if ends_in_solver { count.saturating_sub(1) } else { count };
                        self.edit = Some((
                            Edit::Add(list.key_path.clone(), at, known.name.to_string()),
                            true,
                        ));
                        ui.close();
                    }
                }
            });
        });
        services::mark_control(&format!("add:{}", list.key_path), menu.response.rect);
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
            let switch =
                ui.checkbox(&mut on, "").on_hover_text("On or off; the text keeps the parameters");
            services::mark_control(&format!("on:{}", entry.key_path), switch.rect);
            if switch.changed() {
                self.edit = Some((Edit::Switch(entry.key_path.clone(), on), true));
            }
            let name = if entry.off {
                RichText::new(&entry.behavior).strikethrough().weak()
            } else {
                RichText::new(&entry.behavior).strong()
            };
            ui.label(name).on_hover_text(plain(&entry.doc));
            let button = |ui: &mut Ui, name: &str, text: &str, hint: &str, enabled: bool| {
                let button = ui.add_enabled(enabled, Button::new(text).small()).on_hover_text(hint);
                services::mark_control(&format!("{name}:{}", entry.key_path), button.rect);
                button.clicked()
            };
            if button(ui, "up", "⬆", "Earlier in the list", i > 0) {
                self.edit = Some((Edit::Move(entry.key_path.clone(), i - 1), true));
            }
            if button(ui, "down", "⬇", "Later in the list", i + 1 < count) {
                self.edit = Some((Edit::Move(entry.key_path.clone(), i + 1), true));
            }
            if button(ui, "remove", "×", "Remove from the list", true) {
                self.edit = Some((Edit::Remove(entry.key_path.clone()), true));
            }
        });
        header.body(|ui| {
            let own = list.key_path.at(i);
            // The parameters are in a table named after the behavior.
            self.rows(ui, &own.key(entry.behavior.clone()));
            self.tables(ui, &own.key(entry.behavior.clone()));
            self.rows(ui, &own);
        });
    }

    /// A field: its name, a menu, and its control.
    fn row(&mut self, ui: &mut Ui, i: usize) {
        let (field, original) = (&self.settings.fields[i], self.settings.original[i]);
        ui.horizontal(|ui| {
            let name = if original {
                RichText::new(field.name())
            } else {
                RichText::new(field.name()).strong()
            };
            row::name(ui, name, &about(field, &self.settings.units));
            let menu = ui.menu_button("…", |ui| {
                ui.label(about(field, &self.settings.units));
                ui.separator();
                if ui.add_enabled(!original, Button::new("As the scene was opened")).clicked() {
                    self.edit = Some((Edit::Restore(field.key_path.clone()), true));
                    ui.close();
                }
                if ui
                    .add_enabled(field.given && !field.required, Button::new("The default"))
                    .clicked()
                {
                    self.edit = Some((Edit::Reset(field.key_path.clone()), true));
                    ui.close();
                }
                if let ControlKind::Number(number) = &field.kind
                    && number.may_vary
                    && let Some(value) = &field.value
                {
                    let middle = control::uniform_range(value)
                        .map(|[low, high]| 0.5 * (low + high))
                        .or(control::normal_numbers(value).map(|[mean, _]| mean));
                    let (words, other) = match middle {
                        Some(middle) => ("The same for all agents", Value::from(middle)),
                        None => (
                            "Random for each agent",
                            control::uniform(
                                value.number().map_or([1.0, 2.0], |x| [0.8 * x, 1.2 * x]),
                            ),
                        ),
                    };
                    if ui.button(words).clicked() {
                        self.edit = Some((Edit::Set(field.key_path.clone(), other), true));
                        ui.close();
                    }
                }
            });
            services::mark_control(&format!("more:{}", field.key_path), menu.response.rect);
            if let Some((value, new_step)) = control::show(ui, field) {
                self.edit = Some((Edit::Set(field.key_path.clone(), value), new_step));
            }
        });
    }
}

/// The description of a field, its unit, its range and its default.
pub(crate) fn about(field: &Control, units: &Units) -> String {
    let mut text = plain(&field.doc);
    let unit = units.name_of(field.unit());
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
        None if field.required => text += "\nno default: it is required",
        None => {}
    }
    text
}

/// Markdown without marks.
fn plain(doc: &str) -> String {
    doc.replace(['`', '*'], "")
}

/// Whether this is the name of a list of behaviors.
fn is_behavior_list(segment: &KeySegment) -> bool {
    matches!(segment, KeySegment::Name(name) if name == "steer" || name == "all")
}
