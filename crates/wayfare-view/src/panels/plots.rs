//! What is measured of an agent or a group, over the last ticks, as lines over time.

use std::collections::VecDeque;

use eframe::egui::{self, ComboBox, Id, Ui};
use egui_plot::{GridInput, GridMark, Line, Plot, PlotPoints, VLine};

use crate::app::Gallery;
use crate::panels::state_graph::states;
use crate::platform::host;
use crate::render::theme::{TOUCH, Theme};
use crate::session::scene::{Live, Quantity, Who};

/// So many samples back.
const LENGTH: usize = 1_200;
/// From so many agents on not every tick is measured: every second one of twice as many, every
/// tenth of ten times as many.
const MANY: usize = 1_000;

/// What can be plotted: its name, what it is, and its name for tests.
const QUANTITIES: [(Quantity, &str, &str, &str); 5] = [
    (
        Quantity::Speed,
        "Speed",
        "How fast it is; of a group the mean, the slowest and the fastest",
        "plot:speed",
    ),
    (
        Quantity::Distance,
        "Distance",
        "How far from the target of the first behavior that has one; of a group the mean",
        "plot:distance",
    ),
    (
        Quantity::Forces,
        "Forces",
        "How long each behavior's own force is; of a group the mean",
        "plot:forces",
    ),
    (
        Quantity::Overlaps,
        "Overlaps",
        "How many pairs of bodies overlap in the whole crowd",
        "plot:overlaps",
    ),
    (
        Quantity::Lines,
        "Lines",
        "How often each line has been crossed, by each direction",
        "plot:lines",
    ),
];

/// A line of a plot.
#[derive(Clone, Debug)]
struct Series {
    quantity: Quantity,
    name: String,
    /// (tick, value), by rising ticks.
    points: VecDeque<(u64, f32)>,
}

/// What has been measured, and what is to be.
#[derive(Clone, Debug)]
pub(crate) struct Plots {
    /// A group, or else the agent that is chosen.
    group: Option<usize>,
    shown: [bool; QUANTITIES.len()],
    who: Option<Who>,
    /// Of what the last sample was: the tick, and what was shown.
    sampled: Option<(u64, [bool; QUANTITIES.len()])>,
    series: Vec<Series>,
}

impl Default for Plots {
    fn default() -> Self {
        Self {
            group: None,
            shown: [true, true, true, false, false],
            who: None,
            sampled: None,
            series: Vec::new(),
        }
    }
}

/// The agent that was chosen or is followed, or else the first.
pub(crate) fn agent(live: &dyn Live, chosen: Option<u32>) -> Option<u32> {
    chosen.filter(|&id| live.place_of(id).is_some()).or_else(|| live.first(1).first().copied())
}

impl Plots {
    /// For another scene, or the same from its start.
    pub(crate) fn begin(&mut self, other: bool) {
        self.series.clear();
        self.sampled = None;
        if other {
            self.group = None;
        }
    }

    /// How many values there are of what is plotted first.
    #[cfg(test)]
    pub(crate) fn samples(&self) -> usize {
        self.series.first().map_or(0, |series| series.points.len())
    }

    /// At which ticks so many agents are measured.
    fn every(agents: usize) -> u64 {
        agents.div_ceil(MANY).max(1) as u64
    }

    fn whom(&self, live: &dyn Live, chosen: Option<u32>) -> Option<Who> {
        self.group.map(Who::Group).or_else(|| agent(live, chosen).map(Who::Agent))
    }

    /// Measures what is plotted, at this tick.
    pub(crate) fn sample(&mut self, live: &mut dyn Live, chosen: Option<u32>) {
        let (tick, who) = (live.tick(), self.whom(live, chosen));
        if who != self.who {
            self.series.clear();
            (self.who, self.sampled) = (who, None);
        }
        let Some(who) = who.filter(|_| tick.is_multiple_of(Self::every(live.len()))) else {
            return;
        };
        if self.sampled.replace((tick, self.shown)) == Some((tick, self.shown)) {
            return;
        }
        let wanted: Vec<Quantity> = QUANTITIES
            .iter()
            .zip(self.shown)
            .filter(|(_, shown)| *shown)
            .map(|(what, _)| what.0)
            .collect();
        // What was measured in a time that has not come to be.
        let (_, last) = live.known();
        self.series
            .iter_mut()
            .for_each(|series| while series.points.pop_back_if(|(at, _)| *at > last).is_some() {});
        for measure in live.measure(who, &wanted) {
            let known = self.series.iter().position(|series| {
                series.quantity == measure.quantity && series.name == measure.name
            });
            let known = known.unwrap_or_else(|| {
                self.series.push(Series {
                    quantity: measure.quantity,
                    name: measure.name,
                    points: VecDeque::new(),
                });
                self.series.len() - 1
            });
            let points = &mut self.series[known].points;
            let at = points.partition_point(|(before, _)| *before < tick);
            match points.get_mut(at).filter(|(there, _)| *there == tick) {
                Some(point) => point.1 = measure.value,
                None => points.insert(at, (tick, measure.value)),
            }
            while points.front().is_some_and(|(first, _)| {
                first + (LENGTH as u64) * Self::every(live.len()) <= last.max(tick)
            }) {
                points.pop_front();
            }
        }
    }

    /// The first and the last tick of all that was measured.
    fn range(&self) -> Option<(u64, u64)> {
        let ends = self
            .series
            .iter()
            .filter_map(|series| Some((series.points.front()?.0, series.points.back()?.0)));
        ends.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    }

    fn plot(&self, ui: &mut Ui, quantity: Quantity, name: &str, now: u64, dt: f64, every: u64) {
        let theme = Theme::of(ui.visuals().dark_mode);
        let series: Vec<&Series> = self
            .series
            .iter()
            .filter(|series| series.quantity == quantity && !series.points.is_empty())
            .collect();
        ui.add_space(4.0);
        ui.horizontal_wrapped(|ui| {
            ui.spacing_mut().interact_size.y = 0.0;
            ui.strong(name);
            // What the colors are, and how much it is now: beside the lines, where it hides none of
            // them.
            for (i, series) in series.iter().enumerate() {
                let at = series
                    .points
                    .partition_point(|(tick, _)| *tick <= now)
                    .checked_sub(1)
                    .map(|at| series.points[at]);
                let value = at
                    .filter(|(tick, _)| now - tick < every)
                    .map_or(String::new(), |(_, value)| format!("  {}", number(value)));
                let (dot, _) = ui.allocate_exact_size(egui::Vec2::splat(9.0), egui::Sense::hover());
                ui.painter().circle_filled(dot.center() + egui::vec2(0.0, 3.0), 4.0, theme.part(i));
                ui.label(format!("{}{value}", series.name));
            }
        });
        let Some((first, last)) = self.range().filter(|_| !series.is_empty()) else {
            ui.label(match quantity {
                Quantity::Lines => "No line is in this scene.",
                Quantity::Distance => "It goes for nothing.",
                _ => "Nothing has been measured.",
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
            .x_grid_spacer(round)
            .y_grid_spacer(round)
            .link_cursor(Id::unique("plots"), [true, false]);
        let drawn = plot.show(ui, |ui| {
            ui.set_plot_bounds_x(time(first)..=time(last.max(first + 10)));
            for (i, series) in series.iter().enumerate() {
                // While it is in another state, there is no such force: a line ends there and
                // another begins.
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
        host::place(&format!("plotted:{}", name.to_lowercase()), drawn.response.rect);
    }
}

/// Some round values, each with its number.
fn round(shown: GridInput) -> Vec<GridMark> {
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

/// A number with as many digits as can be read while it changes.
fn number(x: f32) -> String {
    if x.fract() == 0.0 || x.abs() >= 1e3 { format!("{x:.0}") } else { format!("{x:.2}") }
}

impl Gallery {
    /// Whom plots are of, and what is plotted.
    pub(crate) fn plots(&mut self, ui: &mut Ui) {
        let chosen = self.chosen.or(self.follow);
        let Some(groups) = self.live().map(|live| live.groups()) else { return };
        let crate::app::Shown::Scene { live, .. } = &mut self.shown else { return };
        let plots = &mut self.plots;
        let of_agent =
            agent(live.as_ref(), chosen).map_or("Nobody".to_string(), |id| format!("Agent {id}"));
        ui.horizontal_wrapped(|ui| {
            let named = plots
                .group
                .and_then(|group| groups.get(group))
                .map_or(of_agent.clone(), |name| format!("Group {name}"));
            let list = ComboBox::from_id_salt("whom").selected_text(named).show_ui(ui, |ui| {
                ui.selectable_value(&mut plots.group, None, of_agent);
                for (i, name) in groups.iter().enumerate() {
                    ui.selectable_value(&mut plots.group, Some(i), format!("Group {name}"));
                }
            });
            host::place("plot:whom", list.response.rect);
            for ((_, name, what, place), shown) in QUANTITIES.iter().zip(&mut plots.shown) {
                let button = ui
                    .add(egui::Button::selectable(*shown, *name).min_size(egui::vec2(0.0, TOUCH)))
                    .on_hover_text(*what);
                host::place(place, button.rect);
                if button.clicked() {
                    *shown = !*shown;
                }
            }
        });
        if plots.group.is_none() && chosen.is_none() {
            ui.label("A click on an agent, or Follow, chooses another one.");
        }
        let every = Plots::every(live.len());
        if every > 1 {
            ui.label(format!(
                "Of {} agents every {every} ticks are measured, so that they stay as fast.",
                live.len()
            ));
        }
        // What there is at this tick, also before time passes and while it stands still.
        plots.sample(live.as_mut(), chosen);
        for ((quantity, name, ..), _) in
            QUANTITIES.iter().zip(plots.shown).filter(|(_, shown)| *shown)
        {
            plots.plot(ui, *quantity, name, live.tick(), live.dt(), every);
        }
        ui.weak("over time, as the scene counts it");
        if let Some(now) = plots.whom(live.as_ref(), chosen).and_then(|who| live.states(who)) {
            ui.separator();
            states(ui, &now);
        }
    }
}

#[cfg(test)]
mod tests;
