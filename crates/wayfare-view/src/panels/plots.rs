//! Measured quantities of an agent or a group as lines over time, and states.

use eframe::egui::{self, ComboBox, Id, Ui};
use egui_plot::{GridInput, GridMark, Line, Plot, PlotPoints, VLine};

use crate::panels::state_graph;
use crate::platform::services;
use crate::render::theme::{TOUCH, Theme};
use crate::session::measures::{Quantity, Subject};
use crate::session::time_series::{Series, TimeSeries, sample_interval};
use crate::session::traits::Session;
use wayfare::parameter::Unit;
use wayfare::{AgentId, GroupId};

/// The quantities with their names, hints, and names for tests.
const QUANTITIES: [(Quantity, &str, &str, &str); 5] = [
    (
        Quantity::Speed,
        "Speed",
        "Speed; of a group the mean, the slowest and the fastest",
        "plot:speed",
    ),
    (
        Quantity::Distance,
        "Distance",
        "Distance to the target of the first behavior that has one; of a group the mean",
        "plot:distance",
    ),
    (
        Quantity::Forces,
        "Forces",
        "Length of each behavior's own force; of a group the mean",
        "plot:forces",
    ),
    (
        Quantity::Overlaps,
        "Overlaps",
        "Number of pairs of overlapping bodies in the whole crowd",
        "plot:overlaps",
    ),
    (Quantity::Lines, "Lines", "Number of crossings of each line, by direction", "plot:lines"),
];

/// The choices of the user for the plots, and the samples.
#[derive(Clone, Debug)]
pub(crate) struct Plots {
    /// A group; `None` for the selected agent.
    group: Option<GroupId>,
    shown: [bool; QUANTITIES.len()],
    samples: TimeSeries,
}

impl Default for Plots {
    fn default() -> Self {
        let shown = [true, true, true, false, false];
        Self { group: None, shown, samples: TimeSeries::default() }
    }
}

impl Plots {
    /// Discards the samples, as the scene starts again.
    pub(crate) fn clear(&mut self) {
        self.samples.clear();
    }

    /// Prepares for another scene.
    pub(crate) fn reset(&mut self) {
        self.samples.clear();
        self.group = None;
    }

    /// Number of samples of the first plotted quantity.
    #[cfg(test)]
    pub(crate) fn sample_count(&self) -> usize {
        self.samples.series.first().map_or(0, |series| series.points.len())
    }

    fn subject(&self, session: &dyn Session, selected: Option<AgentId>) -> Option<Subject> {
        let agent = || session.shown_agent(selected).map(Subject::Agent);
        self.group.map(Subject::Group).or_else(agent)
    }

    /// Measures the plotted quantities at this tick.
    pub(crate) fn sample(&mut self, session: &mut dyn Session, selected: Option<AgentId>) {
        let subject = self.subject(session, selected);
        let wanted = QUANTITIES.iter().zip(self.shown).filter(|(_, shown)| *shown);
        let wanted: Vec<Quantity> = wanted.map(|(quantity, _)| quantity.0).collect();
        self.samples.sample(session, subject, &wanted);
    }

    /// Shows the choice of subject and quantities, the plots and the states.
    pub(crate) fn show(
        &mut self,
        ui: &mut Ui,
        session: &mut dyn Session,
        selected: Option<AgentId>,
    ) {
        self.choices(ui, session, selected);
        if self.group.is_none() && selected.is_none() {
            ui.label("Click on an agent, or Follow, to select another one.");
        }
        let (agents, every) = (session.len(), sample_interval(session.len()));
        if every > 1 {
            ui.label(format!("A crowd of {agents} is measured every {every} ticks, to save time."));
        }
        // Also while paused, after a change of the choices.
        self.sample(session, selected);
        for ((quantity, name, ..), _) in
            QUANTITIES.iter().zip(self.shown).filter(|(_, shown)| *shown)
        {
            self.plot(ui, *quantity, name, session);
        }
        let units = &session.presentation().units;
        ui.weak(units.labelled("over simulated time", Unit::Time));
        let subject = self.subject(session, selected);
        if let Some(now) = subject.and_then(|subject| session.states(subject)) {
            ui.separator();
            state_graph::show(ui, &now, session.presentation());
        }
    }

    fn choices(&mut self, ui: &mut Ui, session: &dyn Session, selected: Option<AgentId>) {
        let groups = session.group_names();
        let agent = session
            .shown_agent(selected)
            .map_or("No agent".to_string(), |id| format!("Agent {id}"));
        ui.horizontal_wrapped(|ui| {
            let named = self
                .group
                .and_then(|group| groups.get(group.0))
                .map_or(agent.clone(), |name| format!("Group {name}"));
            let list = ComboBox::from_id_salt("whom").selected_text(named).show_ui(ui, |ui| {
                ui.selectable_value(&mut self.group, None, agent);
                for (i, name) in groups.iter().enumerate() {
                    ui.selectable_value(&mut self.group, Some(GroupId(i)), format!("Group {name}"));
                }
            });
            services::mark_control("plot:whom", list.response.rect);
            for ((_, name, hint, control), shown) in QUANTITIES.iter().zip(&mut self.shown) {
                let button = ui
                    .add(egui::Button::selectable(*shown, *name).min_size(egui::vec2(0.0, TOUCH)))
                    .on_hover_text(*hint);
                services::mark_control(control, button.rect);
                if button.clicked() {
                    *shown = !*shown;
                }
            }
        });
    }

    /// Shows one quantity over time, with the present values beside the name.
    fn plot(&self, ui: &mut Ui, quantity: Quantity, name: &str, session: &dyn Session) {
        let (now, dt) = (session.tick(), session.dt());
        let every = sample_interval(session.len());
        let theme = Theme::of(ui.visuals().dark_mode);
        let series: Vec<&Series> = self
            .samples
            .series
            .iter()
            .filter(|series| series.quantity == quantity && !series.points.is_empty())
            .collect();
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().interact_size.y = 0.0;
            let unit = match quantity {
                Quantity::Speed | Quantity::Forces => Unit::Speed,
                Quantity::Distance => Unit::Length,
                Quantity::Overlaps | Quantity::Lines => Unit::Count,
            };
            ui.strong(session.presentation().units.labelled(name, unit));
            // The legend is above the plot, where it covers no line.
            for (i, series) in series.iter().enumerate() {
                let last = series
                    .points
                    .partition_point(|(tick, _)| *tick <= now)
                    .checked_sub(1)
                    .map(|index| series.points[index]);
                let value = last
                    .filter(|(tick, _)| now - tick < every)
                    .map_or(String::new(), |(_, value)| format!("  {}", number(value)));
                let (dot, _) = ui.allocate_exact_size(egui::Vec2::splat(9.0), egui::Sense::hover());
                ui.painter().circle_filled(dot.center() + egui::vec2(0.0, 3.0), 4.0, theme.part(i));
                ui.label(format!("{}{value}", series.name));
            }
        });
        let Some((first, last)) = self.samples.range().filter(|_| !series.is_empty()) else {
            ui.label(match quantity {
                Quantity::Lines => "This scene has no lines.",
                Quantity::Distance => "No behavior has a target.",
                _ => "There are no measurements.",
            });
            return;
        };
        let time = |tick: u64| tick as f64 * dt;
        let plot = Plot::new(("plot", name))
            .height(112.0)
            .width(ui.available_width() - 14.0)
            .allow_zoom(false)
            .allow_scroll(false)
            .allow_drag(false)
            .allow_boxed_zoom(false)
            .allow_axis_zoom_drag(false)
            .allow_double_click_reset(false)
            .include_y(0.0)
            .include_y(1e-3)
            .y_axis_min_width(34.0)
            .x_grid_spacer(round_values)
            .y_grid_spacer(round_values)
            .link_cursor(Id::unique("plots"), [true, false]);
        let drawn = plot.show(ui, |ui| {
            ui.set_plot_bounds_x(time(first)..=time(last.max(first + 10)));
            for (i, series) in series.iter().enumerate() {
                // A force is missing while the agent is in another state: the line has a gap there.
                let points: Vec<_> = series.points.iter().copied().collect();
                for run in points.chunk_by(|a, b| b.0 - a.0 <= every) {
                    let points: Vec<[f64; 2]> =
                        run.iter().map(|&(tick, value)| [time(tick), f64::from(value)]).collect();
                    ui.line(
                        Line::new(series.name.clone(), PlotPoints::from(points))
                            .color(theme.part(i))
                            .width(1.4)
                            .id((i, run[0].0)),
                    );
                }
            }
            if now < last {
                ui.add(
                    VLine::new("now", time(now)).color(theme.text).width(1.5).allow_hover(false),
                );
            }
        });
        services::mark_control(&format!("plotted:{}", name.to_lowercase()), drawn.response.rect);
    }
}

/// Up to eight round values for the grid.
fn round_values(shown: GridInput) -> Vec<GridMark> {
    let (from, to) = shown.bounds;
    let rough = ((to - from) / 4.0).max(1e-6);
    let ten = 10.0_f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|part| part * ten)
        .into_iter()
        .find(|step| *step >= rough)
        .unwrap_or(rough);
    let marks = (0..8).map(|i| ((from / step).ceil() + f64::from(i)) * step);
    marks
        .take_while(|value| *value <= to)
        .map(|value| GridMark { value, step_size: step })
        .collect()
}

/// A number with few digits, readable while it changes.
fn number(x: f32) -> String {
    if x.fract() == 0.0 || x.abs() >= 1e3 { format!("{x:.0}") } else { format!("{x:.2}") }
}
