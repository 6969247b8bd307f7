//! A control for each kind of field of the settings panel.

use eframe::egui::{self, ComboBox, DragValue, Id, Response, Slider, SliderClamping, TextEdit, Ui};
use wayfare_scene::Format;
use wayfare_scene::edit::{Control, ControlKind, NumberControl, Value};

use crate::platform::services;
use crate::render::theme::TOUCH;

/// The new value, and whether it is a new undo step: the moves of one slider drag are one step.
type Change = Option<(Value, bool)>;

/// Shows the control of a field.
pub(super) fn show(ui: &mut Ui, field: &Control) -> Change {
    match &field.kind {
        ControlKind::Number(number) => self::number(ui, field, number),
        ControlKind::Integer { range, slider } => whole(ui, field, *range, *slider),
        ControlKind::Flag => {
            let mut on = field.value == Some(Value::Flag(true));
            let check = marked(field, ui.checkbox(&mut on, ""));
            check.changed().then_some((Value::Flag(on), true))
        }
        ControlKind::Choice(words) => choice(ui, field, words),
        ControlKind::Groups(names) => some_names(ui, field, names),
        ControlKind::Point { words, .. } => point(ui, field, words),
        ControlKind::Text => typed(
            ui,
            field,
            |text| Some(Value::from(text)),
            |value| value.text().unwrap_or_default().to_string(),
            "",
        ),
        ControlKind::Structure { example } => {
            typed(ui, field, Value::read, |value| value.write(Format::Toml), example)
        }
    }
}

fn number(ui: &mut Ui, field: &Control, number: &NumberControl) -> Change {
    let limits = [f64::from(number.range.min), f64::from(number.range.max)];
    if let Some([mut low, mut high]) = field.value.as_ref().and_then(uniform_range) {
        let from = marked(field, drag(ui, &mut low, limits, number.slider));
        ui.label("to");
        let to = drag(ui, &mut high, limits, number.slider);
        let moved = from.changed() || to.changed();
        return moved.then(|| {
            (uniform([low.min(high), high.max(low)]), is_new_step(&from) && is_new_step(&to))
        });
    }
    if let Some([mut mean, mut deviation]) = field.value.as_ref().and_then(normal_numbers) {
        let center = marked(field, drag(ui, &mut mean, limits, number.slider));
        ui.label("±").on_hover_text("The standard deviation");
        let width = drag(ui, &mut deviation, [0.0, limits[1]], number.slider);
        let moved = center.changed() || width.changed();
        return moved
            .then(|| (normal([mean, deviation]), is_new_step(&center) && is_new_step(&width)));
    }
    let now = field.value.as_ref().and_then(Value::number).filter(|x| x.is_finite());
    let mut words: Vec<(&str, Value)> =
        number.words.iter().map(|word| (*word, Value::from(*word))).collect();
    if number.may_be_off {
        words.push(("off", Value::Flag(false)));
    }
    if number.range.infinite {
        words.push(("inf", Value::Number(f64::INFINITY)));
    }
    let mut change = None;
    if !words.is_empty() || now.is_none() {
        let middle = Value::from(0.5 * (number.slider[0] + number.slider[1]));
        let here = words
            .iter()
            .find(|(_, value)| field.value.as_ref() == Some(value))
            .map(|(word, _)| *word);
        let shown = here.unwrap_or(if now.is_some() { "number" } else { "none" });
        // Beside a number only the arrow is shown, to leave room for the slider.
        let (text, width) = if now.is_some() { ("", 20.0) } else { (shown, 64.0) };
        let combo = ComboBox::from_id_salt(("word", field.key_path.to_string()))
            .selected_text(text)
            .width(width)
            .show_ui(ui, |ui| {
                if ui.selectable_label(now.is_some(), "number").clicked() && now.is_none() {
                    change = Some((middle, true));
                }
                for (word, value) in words {
                    if ui.selectable_label(here == Some(word), word).clicked() {
                        change = Some((value, true));
                    }
                }
            });
        if now.is_none() {
            marked(field, combo.response);
        }
    }
    if let Some(mut x) = now {
        // Values beyond the ends of the slider can be typed.
        ui.spacing_mut().slider_width = (ui.available_width() - 76.0).max(40.0);
        let whole = (number.slider[1] - number.slider[0]) >= 100.0;
        let slider = Slider::new(&mut x, number.slider[0]..=number.slider[1])
            .clamping(SliderClamping::Never)
            .max_decimals(if whole { 1 } else { 3 });
        let slider = marked(field, ui.add(slider));
        if slider.changed() {
            change = Some((Value::from(x.clamp(limits[0], limits[1])), is_new_step(&slider)));
        }
    }
    change
}

/// The ends of a range from which each agent draws a value.
pub(super) fn uniform_range(value: &Value) -> Option<[f64; 2]> {
    two_numbers(value, "uniform")
}

pub(super) fn uniform(ends: [f64; 2]) -> Value {
    Value::Table(vec![("uniform".to_string(), Value::from(ends))])
}

/// The mean and the standard deviation of a normal distribution of the agents' values.
pub(super) fn normal_numbers(value: &Value) -> Option<[f64; 2]> {
    two_numbers(value, "normal")
}

fn normal(numbers: [f64; 2]) -> Value {
    Value::Table(vec![("normal".to_string(), Value::from(numbers))])
}

fn two_numbers(value: &Value, key: &str) -> Option<[f64; 2]> {
    let Value::Table(entries) = value else { return None };
    let (_, Value::List(ends)) = entries.iter().find(|(name, _)| name == key)? else {
        return None;
    };
    if let [low, high] = ends.as_slice() { Some([low.number()?, high.number()?]) } else { None }
}

/// A one-line text field, high enough for fingers.
pub(super) fn line(text: &mut String) -> TextEdit<'_> {
    TextEdit::singleline(text)
        .desired_width(f32::INFINITY)
        .min_size([0.0, TOUCH].into())
        .align(egui::Align2::LEFT_CENTER)
}

/// Records the rectangle of a field's control for tests.
fn marked(field: &Control, response: Response) -> Response {
    services::mark_control(&format!("field:{}", field.key_path), response.rect);
    response
}

/// Whether a change begins a new undo step.
fn is_new_step(response: &Response) -> bool {
    response.drag_started() || !response.dragged()
}

fn whole(ui: &mut Ui, field: &Control, range: [u64; 2], usual: [u64; 2]) -> Change {
    let Some(Value::Integer(now)) = field.value else {
        let button = marked(field, ui.button("none").on_hover_text("Set a number"));
        return button.clicked().then(|| (Value::from(usual[0].max(1)), true));
    };
    let mut x = now.clamp(0, i128::from(u64::MAX)) as u64;
    let limits = range[0]..=range[1];
    let control = if usual[1] - usual[0] <= 1_000 {
        ui.spacing_mut().slider_width = (ui.available_width() - 76.0).max(40.0);
        ui.add(Slider::new(&mut x, usual[0]..=usual[1]).clamping(SliderClamping::Never))
    } else {
        ui.add(egui::DragValue::new(&mut x).range(limits.clone()))
    };
    let control = marked(field, control);
    control
        .changed()
        .then(|| (Value::from(x.clamp(*limits.start(), *limits.end())), is_new_step(&control)))
}

fn choice(ui: &mut Ui, field: &Control, words: &[String]) -> Change {
    let now = field.value.as_ref().and_then(Value::text).unwrap_or("none");
    let mut change = None;
    let combo = ComboBox::from_id_salt(("choice", field.key_path.to_string()))
        .selected_text(now)
        .show_ui(ui, |ui| {
            for word in words {
                if ui.selectable_label(word == now, word).clicked() {
                    change = Some((Value::from(word.as_str()), true));
                }
            }
        });
    marked(field, combo.response);
    change
}

fn some_names(ui: &mut Ui, field: &Control, names: &[String]) -> Change {
    let now: Option<Vec<&str>> = match &field.value {
        Some(Value::List(list)) => Some(list.iter().filter_map(Value::text).collect()),
        Some(one) => one.text().map(|text| vec![text]),
        None => None,
    };
    let shown = now.as_ref().map_or_else(|| "all".to_string(), |now| now.join(", "));
    let mut change = None;
    let menu = ui.menu_button(shown, |ui| {
        for name in names {
            let mut on = now.as_ref().is_none_or(|now| now.contains(&name.as_str()));
            if ui.checkbox(&mut on, name).changed() {
                let chosen = |other: &&String| {
                    if *other == name {
                        on
                    } else {
                        now.as_ref().is_none_or(|now| now.contains(&other.as_str()))
                    }
                };
                let chosen: Vec<Value> =
                    names.iter().filter(chosen).map(|name| Value::from(name.as_str())).collect();
                change = Some((Value::List(chosen), true));
            }
        }
    });
    marked(field, menu.response);
    change
}

fn point(ui: &mut Ui, field: &Control, or: &[String]) -> Change {
    let mut numbers: Vec<f64> = match &field.value {
        Some(Value::List(list)) => list.iter().filter_map(Value::number).collect(),
        _ => Vec::new(),
    };
    let mut change = None;
    if !or.is_empty() || numbers.is_empty() {
        let now = field.value.as_ref().and_then(Value::text).unwrap_or(if numbers.is_empty() {
            "none"
        } else {
            "point"
        });
        let combo = ComboBox::from_id_salt(("point", field.key_path.to_string()))
            .selected_text(now)
            .width(70.0)
            .show_ui(ui, |ui| {
                if ui.selectable_label(!numbers.is_empty(), "point").clicked() && numbers.is_empty()
                {
                    change = Some((Value::from([0.0, 0.0]), true));
                }
                for word in or {
                    if ui.selectable_label(word == now, word).clicked() {
                        change = Some((Value::from(word.as_str()), true));
                    }
                }
            });
        marked(field, combo.response);
    }
    let mut moved = None;
    for x in &mut numbers {
        let most = f64::from(wayfare::parameter::LARGEST);
        let number = drag(ui, x, [-most, most], [0.0, 300.0]);
        if number.changed() {
            moved = Some(is_new_step(&number));
        }
        marked(field, number);
    }
    moved
        .map(|new_step| (Value::List(numbers.into_iter().map(Value::from).collect()), new_step))
        .or(change)
}

/// A text field that takes effect when it loses the focus or Enter is pressed.
fn typed(
    ui: &mut Ui,
    field: &Control,
    read: impl Fn(&str) -> Option<Value>,
    write: impl Fn(&Value) -> String,
    example: &str,
) -> Change {
    let now = field.value.as_ref().map(write).unwrap_or_default();
    let id = Id::unique(("typed", field.key_path.to_string()));
    let mut text = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| now.clone());
    let edit = marked(field, ui.add(line(&mut text).id(id.with("edit")).hint_text(example)));
    if !edit.has_focus() && !edit.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        return None;
    }
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    if !edit.lost_focus() || text == now {
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    // Text that is not a value is refused by the draft, with the allowed range.
    Some((read(&text).unwrap_or_else(|| Value::from(text.as_str())), true))
}

/// A number that can be dragged or typed.
fn drag(ui: &mut Ui, value: &mut f64, [least, most]: [f64; 2], usual: [f64; 2]) -> Response {
    let speed = ((usual[1] - usual[0]) / 300.0).max(1e-4);
    ui.add(DragValue::new(value).speed(speed).range(least..=most).max_decimals(3))
}
