//! The panel of one agent: its order, and the settings that it can have of its own.

use eframe::egui::{Button, ComboBox, DragValue, Id, Response, RichText, Ui};
use wayfare::AgentId;
use wayfare::crowd::{Limit, ValidationError};

use crate::action::Action;
use crate::panels::buttons::button;
use crate::panels::row;
use crate::platform::services;
use crate::session::agent_settings::{AgentEdit, AgentSettings, LimitNow};
use crate::session::traits::Session;

/// The state that the panel keeps from frame to frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct AgentPanel {
    /// Why the last change was refused, and of which agent.
    refused: Option<(AgentId, ValidationError)>,
    /// Whether the drag of a number has changed the agent: its further changes join that one.
    drag_has_step: bool,
}

impl AgentPanel {
    /// Notes the result of the last change of an agent.
    pub(crate) fn set_result(&mut self, agent: AgentId, result: Result<(), ValidationError>) {
        self.drag_has_step |= result.is_ok();
        self.refused = result.err().map(|error| (agent, error));
    }

    /// The message that is shown of this agent.
    pub(crate) fn message(&self, agent: AgentId) -> Option<String> {
        let refused = self.refused.as_ref().filter(|(refused, _)| *refused == agent);
        refused.map(|(_, error)| error.to_string())
    }

    /// Shows the settings of the selected agent, or else of the first one.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        session: &dyn Session,
        selected: Option<AgentId>,
    ) -> Vec<Action> {
        let shown = session.shown_agent(selected).and_then(|id| session.agent_settings(id));
        let Some(now) = shown else {
            ui.label("There is no agent.");
            return Vec::new();
        };
        let mut actions = Vec::new();
        ui.horizontal(|ui| {
            ui.label(RichText::new(format!("Agent {}", now.id)).strong());
            if button(ui, "next-agent", "Next", "Selects the agent with the next id").clicked() {
                actions.push(Action::SelectAgent(session.next_agent(Some(now.id))));
            }
        });
        if selected.is_none() {
            ui.label("Click on an agent, or Follow, to select another one.");
        }
        if let Some(message) = self.message(now.id) {
            let shown = ui.colored_label(ui.visuals().error_fg_color, message);
            services::mark_control("own:refused", shown.rect);
        }
        let mut sheet = Sheet { now: &now, drag_has_step: self.drag_has_step, edit: None };
        sheet.show(ui);
        self.drag_has_step = sheet.drag_has_step;
        let edit = sheet.edit.take();
        actions.extend(edit.map(|(edit, new_step)| Action::ChangeAgent(now.id, edit, new_step)));
        actions
    }
}

/// The panel while it is shown.
struct Sheet<'a> {
    now: &'a AgentSettings,
    drag_has_step: bool,
    /// The user's change in this frame, and whether it is a new undo step.
    edit: Option<(AgentEdit, bool)>,
}

impl Sheet<'_> {
    fn show(&mut self, ui: &mut Ui) {
        let now = self.now;
        let hint = "Another group: the agent enters its start state and forgets what its behaviors \
                    remember";
        self.choice(ui, "group", hint, &now.groups, Some(&now.group), AgentEdit::Group);
        if !now.states.is_empty() {
            let hint = "Enters a state, also the present one";
            self.choice(ui, "state", hint, &now.states, now.state.as_ref(), AgentEdit::State);
        }
        self.order(ui);
        for limit in &now.limits {
            self.limit(ui, limit);
        }
        for stat in &now.stats {
            let hint = format!("A stat\nallowed: {} to {}", stat.min, stat.max);
            ui.horizontal(|ui| {
                row::name(ui, RichText::new(&stat.name), &hint);
                let name = format!("stat:{}", stat.name);
                self.number(ui, &name, stat.value, [stat.min, stat.max], "", |x| {
                    AgentEdit::Stat(stat.name.clone(), x)
                });
            });
        }
        ui.horizontal(|ui| {
            row::name(ui, "frozen".into(), "It does not steer, change its state or move");
            let mut frozen = now.frozen;
            if marked("frozen", ui.checkbox(&mut frozen, "")).changed() {
                self.edit = Some((AgentEdit::Frozen(frozen), true));
            }
        });
        ui.horizontal(|ui| {
            let hint = "The angle of its facing on the ground: 0 is +x, 90 is +y (-z with y up)";
            row::name(ui, "facing".into(), hint);
            self.number(ui, "facing", now.facing, [f32::MIN, f32::MAX], "°", AgentEdit::Facing);
        });
    }

    /// A list of names, one of which is the present one.
    fn choice(
        &mut self,
        ui: &mut Ui,
        name: &str,
        hint: &str,
        names: &[String],
        now: Option<&String>,
        edit: impl Fn(String) -> AgentEdit,
    ) {
        ui.horizontal(|ui| {
            row::name(ui, name.into(), hint);
            let text = now.map_or("none", |now| now.as_str());
            let list = ComboBox::from_id_salt(("own", name)).selected_text(text);
            let list = list.show_ui(ui, |ui| {
                for word in names {
                    let choice = ui.selectable_label(now == Some(word), word);
                    if marked(&format!("{name}:{word}"), choice).clicked() {
                        self.edit = Some((edit(word.clone()), true));
                    }
                }
            });
            marked(name, list.response);
        });
    }

    fn order(&mut self, ui: &mut Ui) {
        ui.horizontal(|ui| {
            let hint = "Key W orders it to the mouse, if a behavior of its group reads the order";
            row::name(ui, "order".into(), hint);
            ui.label(self.now.order.as_deref().unwrap_or("none"));
            if self.now.order.is_some()
                && button(ui, "own:order", "End", "Ends the order (Shift+W)").clicked()
            {
                self.edit = Some((AgentEdit::Order(None), true));
            }
        });
    }

    /// A limit; one that the agent has of its own is in bold type and can be taken away.
    fn limit(&mut self, ui: &mut Ui, now: &LimitNow) {
        let (name, limit) = (now.limit.name(), now.limit);
        ui.horizontal(|ui| {
            let text = RichText::new(name);
            let text = if now.is_own { text.strong() } else { text };
            row::name(ui, text, &format!("{}\nallowed: {}", about(limit), now.range));
            let largest = if now.range.infinite { f32::INFINITY } else { now.range.max };
            let range = [now.range.min, largest];
            self.number(ui, name, now.value, range, "", |x| AgentEdit::Limit(limit, Some(x)));
            let reset = ui.add_enabled(now.is_own, Button::new("Reset"));
            let reset = reset.on_hover_text("As its state or group says");
            if marked(&format!("reset:{name}"), reset).clicked() {
                self.edit = Some((AgentEdit::Limit(limit, None), true));
            }
        });
    }

    /// A number. A drag stays within `range`; a typed number is taken as it is, so that the crowd
    /// can say what is wrong with it.
    fn number(
        &mut self,
        ui: &mut Ui,
        name: &str,
        value: f32,
        [least, most]: [f32; 2],
        unit: &str,
        edit: impl Fn(f32) -> AgentEdit,
    ) {
        // A number that changes from tick to tick would reset the text that is being typed.
        let typed_over = Id::unique(("own", name));
        let before = ui.data(|data| data.get_temp(typed_over)).unwrap_or(f64::from(value));
        let mut x = before;
        let speed = if x.is_finite() { (0.01 * x.abs()).max(0.01) } else { 1.0 };
        let field = DragValue::new(&mut x).speed(speed).max_decimals(DECIMALS).suffix(unit);
        let field = marked(name, ui.add(field.update_while_editing(false)));
        let is_typed = field.has_focus();
        ui.data_mut(|data| {
            if is_typed {
                data.insert_temp(typed_over, before);
            } else {
                data.remove::<f64>(typed_over);
            }
        });
        if field.drag_started() {
            self.drag_has_step = false;
        }
        // The field shows a rounded number; the text is no change if it has not been edited.
        if !field.changed() || (!field.dragged() && x == rounded(before)) {
            return;
        }
        if field.dragged() {
            x = x.clamp(f64::from(least), f64::from(most));
        }
        // A finite number stays finite: infinity is allowed for some limits.
        let largest = f64::from(f32::MAX);
        let x = (if x.is_finite() { x.clamp(-largest, largest) } else { x }) as f32;
        if x != value {
            self.edit = Some((edit(x), !(field.dragged() && self.drag_has_step)));
        }
    }
}

/// Number of digits after the point that are shown.
const DECIMALS: usize = 3;

fn rounded(x: f64) -> f64 {
    let unit = 10.0_f64.powi(DECIMALS as i32);
    (x * unit).round() / unit
}

/// The meaning of a limit.
fn about(limit: Limit) -> &'static str {
    match limit {
        Limit::Mass => "The mass, which is a reaction time",
        Limit::MaxSpeed => "The top speed",
        Limit::MaxForce => "The largest force; inf for no limit",
        Limit::Radius => "The radius of the body",
    }
}

/// Records the rectangle of a control for tests.
fn marked(name: &str, response: Response) -> Response {
    services::mark_control(&format!("own:{name}"), response.rect);
    response
}
