//! A control for each kind of field.

use eframe::egui::{self, ComboBox, Id, Response, Slider, SliderClamping, TextEdit, Ui};
use wayfare_scene::Format;
use wayfare_scene::edit::{Control, ControlKind, NumberControl, Value};

use super::{Sheet, drag};
use crate::platform::host;
use crate::render::theme::TOUCH;

/// What a person sets it to, and whether it is a step of its own: not while a slider is on its way.
type Wish = Option<(Value, bool)>;

impl Sheet<'_> {
    pub(super) fn control(&mut self, ui: &mut Ui, field: &Control) -> Wish {
        match &field.kind {
            ControlKind::Number(number) => self.number(ui, field, number),
            ControlKind::Integer { range, slider } => whole(ui, field, *range, *slider),
            ControlKind::Flag => {
                let mut on = field.value == Some(Value::Flag(true));
                let check = named(field, ui.checkbox(&mut on, ""));
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

    fn number(&mut self, ui: &mut Ui, field: &Control, number: &NumberControl) -> Wish {
        let limits = [f64::from(number.range.min), f64::from(number.range.max)];
        if let Some([mut low, mut high]) = field.value.as_ref().and_then(spread) {
            let from = named(field, drag(ui, &mut low, limits, number.slider));
            ui.label("to");
            let to = drag(ui, &mut high, limits, number.slider);
            let moved = from.changed() || to.changed();
            return moved
                .then(|| (uniform([low.min(high), high.max(low)]), fresh(&from) && fresh(&to)));
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
        let mut wish = None;
        if !words.is_empty() || now.is_none() {
            let middle = Value::from(0.5 * (number.slider[0] + number.slider[1]));
            let here = words
                .iter()
                .find(|(_, value)| field.value.as_ref() == Some(value))
                .map(|(word, _)| *word);
            let shown = here.unwrap_or(if now.is_some() { "number" } else { "none" });
            // Beside a number only its arrow: the slider has the room.
            let (said, width) = if now.is_some() { ("", 20.0) } else { (shown, 64.0) };
            let combo = ComboBox::from_id_salt(("word", field.key_path.to_string()))
                .selected_text(said)
                .width(width)
                .show_ui(ui, |ui| {
                    if ui.selectable_label(now.is_some(), "number").clicked() && now.is_none() {
                        wish = Some((middle, true));
                    }
                    for (word, value) in words {
                        if ui.selectable_label(here == Some(word), word).clicked() {
                            wish = Some((value, true));
                        }
                    }
                });
            if now.is_none() {
                named(field, combo.response);
            }
        }
        if let Some(mut x) = now {
            // Beyond the slider's ends by typing.
            ui.spacing_mut().slider_width = (ui.available_width() - 76.0).max(40.0);
            let whole = (number.slider[1] - number.slider[0]) >= 100.0;
            let slider = Slider::new(&mut x, number.slider[0]..=number.slider[1])
                .clamping(SliderClamping::Never)
                .max_decimals(if whole { 1 } else { 3 });
            let slider = named(field, ui.add(slider));
            if slider.changed() {
                wish = Some((Value::from(x.clamp(limits[0], limits[1])), fresh(&slider)));
            }
        }
        wish
    }
}

/// The two ends of a range that each agent draws from.
pub(super) fn spread(value: &Value) -> Option<[f64; 2]> {
    let Value::Table(entries) = value else { return None };
    let (_, Value::List(ends)) = entries.iter().find(|(key, _)| key == "uniform")? else {
        return None;
    };
    if let [low, high] = ends.as_slice() { Some([low.number()?, high.number()?]) } else { None }
}

pub(super) fn uniform(ends: [f64; 2]) -> Value {
    Value::Table(vec![("uniform".to_string(), Value::from(ends))])
}

/// A line of text as high as what a finger should hit.
pub(super) fn line(text: &mut String) -> TextEdit<'_> {
    TextEdit::singleline(text)
        .desired_width(f32::INFINITY)
        .min_size([0.0, TOUCH].into())
        .align(egui::Align2::LEFT_CENTER)
}

/// Tells tests where the control of a field is.
fn named(field: &Control, response: Response) -> Response {
    host::place(&format!("field:{}", field.key_path), response.rect);
    response
}

/// Whether a change begins a step of its own.
fn fresh(response: &Response) -> bool {
    response.drag_started() || !response.dragged()
}

fn whole(ui: &mut Ui, field: &Control, range: [u64; 2], usual: [u64; 2]) -> Wish {
    let Some(Value::Integer(now)) = field.value else {
        let button = named(field, ui.button("none").on_hover_text("Give a number"));
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
    let control = named(field, control);
    control
        .changed()
        .then(|| (Value::from(x.clamp(*limits.start(), *limits.end())), fresh(&control)))
}

fn choice(ui: &mut Ui, field: &Control, words: &[String]) -> Wish {
    let now = field.value.as_ref().and_then(Value::text).unwrap_or("none");
    let mut wish = None;
    let combo = ComboBox::from_id_salt(("choice", field.key_path.to_string()))
        .selected_text(now)
        .show_ui(ui, |ui| {
            for word in words {
                if ui.selectable_label(word == now, word).clicked() {
                    wish = Some((Value::from(word.as_str()), true));
                }
            }
        });
    named(field, combo.response);
    wish
}

fn some_names(ui: &mut Ui, field: &Control, names: &[String]) -> Wish {
    let now: Option<Vec<&str>> = match &field.value {
        Some(Value::List(list)) => Some(list.iter().filter_map(Value::text).collect()),
        Some(one) => one.text().map(|text| vec![text]),
        None => None,
    };
    let shown = now.as_ref().map_or_else(|| "all".to_string(), |now| now.join(", "));
    let mut wish = None;
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
                wish = Some((Value::List(chosen), true));
            }
        }
    });
    named(field, menu.response);
    wish
}

fn point(ui: &mut Ui, field: &Control, or: &[String]) -> Wish {
    let mut numbers: Vec<f64> = match &field.value {
        Some(Value::List(list)) => list.iter().filter_map(Value::number).collect(),
        _ => Vec::new(),
    };
    let mut wish = None;
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
                    wish = Some((Value::from([0.0, 0.0]), true));
                }
                for word in or {
                    if ui.selectable_label(word == now, word).clicked() {
                        wish = Some((Value::from(word.as_str()), true));
                    }
                }
            });
        named(field, combo.response);
    }
    let mut moved = None;
    for x in &mut numbers {
        let most = f64::from(wayfare::parameter::LARGEST);
        let number = drag(ui, x, [-most, most], [0.0, 300.0]);
        if number.changed() {
            moved = Some(fresh(&number));
        }
        named(field, number);
    }
    moved.map(|fresh| (Value::List(numbers.into_iter().map(Value::from).collect()), fresh)).or(wish)
}

/// A text that counts when its field is left or Enter is pressed.
fn typed(
    ui: &mut Ui,
    field: &Control,
    read: impl Fn(&str) -> Option<Value>,
    write: impl Fn(&Value) -> String,
    example: &str,
) -> Wish {
    let now = field.value.as_ref().map(write).unwrap_or_default();
    let id = Id::unique(("typed", field.key_path.to_string()));
    let mut text = ui.data(|data| data.get_temp::<String>(id)).unwrap_or_else(|| now.clone());
    let edit = named(field, ui.add(line(&mut text).id(id.with("edit")).hint_text(example)));
    if !edit.has_focus() && !edit.lost_focus() {
        ui.data_mut(|data| data.remove::<String>(id));
        return None;
    }
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    if !edit.lost_focus() || text == now {
        return None;
    }
    ui.data_mut(|data| data.remove::<String>(id));
    // What is no value is refused as a text, with what is allowed.
    Some((read(&text).unwrap_or_else(|| Value::from(text.as_str())), true))
}
