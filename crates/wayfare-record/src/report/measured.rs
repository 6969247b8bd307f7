//! The section of the measures: the table of values over the run, and the plots.

use wayfare_measure::{EndValue, Per};
use wayfare_scene::Units;

use super::happened::ends;
use super::plot::{LineData, Named, histogram, lines, range, scatter};
use super::series::{Data, MeasurePlots, Plots, QuantityPlot};
use super::significant;
use crate::picture::escaped;

/// The most groups of a plot: later ones are left out, and the plot says so.
const MOST_GROUPS: usize = 8;

/// The labels of the plots.
pub(super) struct Labels<'a> {
    /// The names of the measures.
    pub(super) measures: &'a [String],
    /// The names of the groups.
    pub(super) groups: &'a [String],
    pub(super) units: &'a Units,
}

/// The section; empty without measures.
pub(super) fn section(plots: &Plots, values: &[EndValue], labels: &Labels<'_>) -> String {
    if labels.measures.is_empty() {
        return String::new();
    }
    let mut html =
        "<section aria-labelledby=\"measures\">\n<h2 id=\"measures\">Measures</h2>\n".to_string();
    html.push_str(&ends(values, labels.units));
    for measure in &plots.measures {
        let name = labels.measures.get(measure.measure).map_or("", String::as_str);
        html.push_str(&format!("<h3>{}</h3>\n<div class=\"plots\">\n", escaped(name)));
        for quantity in &measure.quantities {
            html.push_str(&labels.plot(name, quantity));
        }
        html.push_str(&labels.diagram(name, measure));
        html.push_str("</div>\n");
    }
    html.push_str("</section>\n");
    html
}

impl Labels<'_> {
    fn with_unit(&self, text: &str, unit: &str) -> String {
        let unit = self.units.in_names(unit);
        // A scene without a name for its unit of time has `time` for both.
        if unit.is_empty() || unit == text { text.to_string() } else { format!("{text} ({unit})") }
    }

    /// The name and the color of a group of a plot.
    fn group(&self, group: Option<usize>) -> (String, String) {
        match group {
            None => ("all".to_string(), "all".to_string()),
            Some(i) => (self.groups.get(i).cloned().unwrap_or_default(), format!("g{i}")),
        }
    }

    fn plot(&self, measure: &str, plot: &QuantityPlot) -> String {
        let quantity = plot.quantity;
        let words = quantity.name.replace('_', " ");
        let label = self.with_unit(&words, quantity.unit);
        let time = self.with_unit("time", "time");
        let shown = &plot.by_group[..plot.by_group.len().min(MOST_GROUPS)];
        let (mut over_time, mut of_agents): (Vec<Named<LineData>>, Vec<Named<&[f64]>>) =
            (Vec::new(), Vec::new());
        for (group, data) in shown {
            let (name, class) = self.group(*group);
            match data {
                Data::Line(line) => {
                    let holds = quantity.per == Per::Change && line.is_whole();
                    let data = LineData { points: line.points(), holds };
                    over_time.push(Named { name, class, data });
                }
                Data::Values(values) => of_agents.push(Named { name, class, data: values }),
            }
        }
        let names: Vec<(String, String)> = over_time
            .iter()
            .map(|line| (line.name.clone(), line.class.clone()))
            .chain(of_agents.iter().map(|set| (set.name.clone(), set.class.clone())))
            .collect();
        let svg = if over_time.is_empty() {
            let values = || of_agents.iter().flat_map(|set| set.data.iter().copied());
            let about =
                format!("{measure}: {words} of {} agents, {}", values().count(), range(values()));
            histogram(&of_agents, &label, &about)
        } else {
            let values = over_time.iter().flat_map(|line| &line.data.points).map(|p| p.1);
            let last = shown.iter().find_map(|(_, data)| match data {
                Data::Line(line) => line.last(),
                Data::Values(_) => None,
            });
            let last = last.map_or_else(String::new, |x| format!(", {} last", significant(x)));
            let about = format!("{measure}: {words} over time, {}{last}", range(values));
            lines(&over_time, &time, &label, &about)
        };
        let more = plot.by_group.len() - shown.len();
        figure(&words, quantity.doc, &svg, &names, more)
    }

    fn diagram(&self, measure: &str, plots: &MeasurePlots) -> String {
        let points = &plots.diagram.points;
        let unit = |name: &str| {
            let found = plots.quantities.iter().find(|plot| plot.quantity.name == name);
            found.map_or("", |plot| plot.quantity.unit)
        };
        if points.is_empty() {
            return String::new();
        }
        let about = format!(
            "{measure}: fundamental diagram, {} samples; density {}, speed {}",
            points.len(),
            range(points.iter().map(|p| p.0)),
            range(points.iter().map(|p| p.1))
        );
        let (x, y) =
            (self.with_unit("density", unit("density")), self.with_unit("speed", unit("speed")));
        let svg = scatter(points, &x, &y, &about);
        let doc = "Speed by density: a point for each measured tick with agents.";
        figure("fundamental diagram", doc, &svg, &[], 0)
    }
}

/// A plot with its title, explanation and legend.
fn figure(title: &str, doc: &str, svg: &str, names: &[(String, String)], more: usize) -> String {
    let mut legend = String::new();
    if names.len() > 1 || more > 0 {
        legend.push_str("<ul class=\"legend\">");
        for (name, class) in names {
            legend.push_str(&format!(
                "<li><span class=\"swatch {class}\" aria-hidden=\"true\"></span>{}</li>",
                escaped(name)
            ));
        }
        if more > 0 {
            legend.push_str(&format!("<li>{more} more groups are not shown</li>"));
        }
        legend.push_str("</ul>\n");
    }
    // The explanations are Markdown with code spans at most.
    let doc = escaped(&doc.replace('`', "").replace("**", ""));
    format!(
        "<figure><h4>{}</h4>\n{svg}{legend}<figcaption>{doc}</figcaption></figure>\n",
        escaped(title)
    )
}
