//! The results of a run, as tables: its groups, lines, exits, sources, states and overlaps.

use wayfare::Vector;
use wayfare::crowd::ExitAction;
use wayfare_measure::EndValue;
use wayfare_scene::Units;

use super::page::table;
use super::significant;
use crate::Summary;
use crate::counters::SolidStatistics;
use crate::picture::grouped;

/// The most rows of a table.
const MOST_ROWS: usize = 100;

/// The section of a run.
pub(super) fn section<V: Vector>(summary: &Summary<'_, V>) -> String {
    let mut html = "<section aria-labelledby=\"happened\">\n<h2 id=\"happened\">What \
                    happened</h2>\n"
        .to_string();
    html.push_str(&groups(summary));
    html.push_str(&places(summary));
    html.push_str(&states(summary));
    let sentences = sentences(summary);
    if !sentences.is_empty() {
        html.push_str(&format!("<p>{}</p>\n", crate::picture::escaped(&sentences.join(" "))));
    }
    html.push_str("</section>\n");
    html
}

/// The rows that fit, and a last one that counts the others.
fn bounded(mut rows: Vec<Vec<String>>) -> Vec<Vec<String>> {
    if let Some(more) = rows.len().checked_sub(MOST_ROWS).filter(|more| *more > 0) {
        rows.truncate(MOST_ROWS);
        rows.push(vec![format!("and {more} more")]);
    }
    rows
}

fn count(count: u64) -> String {
    grouped(&count.to_string())
}

fn groups<V: Vector>(summary: &Summary<'_, V>) -> String {
    let groups = summary.counters.groups();
    let any_gone = groups.iter().any(|group| group.gone > 0);
    let rows = groups.iter().map(|group| {
        let mut row = vec![group.name.clone(), count(group.start as u64), count(group.end as u64)];
        if any_gone {
            row.push(count(group.gone));
        }
        row
    });
    let heads: &[&str] = if any_gone {
        &["group", "at the start", "at the end", "removed or respawned"]
    } else {
        &["group", "at the start", "at the end"]
    };
    table(heads, &[1, 2, 3], &bounded(rows.collect()))
}

/// Lines, exits and sources.
fn places<V: Vector>(summary: &Summary<'_, V>) -> String {
    let crowd = summary.crowd;
    let mut html = String::new();
    let mut add = |heads: &[&str], rows: Vec<Vec<String>>| {
        if !rows.is_empty() {
            html.push_str(&table(heads, &[1, 2], &bounded(rows)));
        }
    };
    let line = |line: &wayfare::crowd::LineCount<V>| {
        vec![line.line.name.clone(), count(line.left), count(line.right)]
    };
    add(&["line", "to the left", "to the right"], crowd.lines().iter().map(line).collect());
    let exits = crowd.exits().iter().enumerate().map(|(i, exit)| {
        let removes = exit.exit.then == ExitAction::Remove;
        let then = if removes { "removed" } else { "respawned" };
        vec![summary.presentation.exit(i), count(exit.left), then.to_string()]
    });
    add(&["exit", "agents that left", "then"], exits.collect());
    let sources = crowd.sources().iter().enumerate().map(|(i, source)| {
        let groups = summary.counters.groups();
        let group = groups.get(source.source.group.0).map_or("", |group| &group.name);
        let name = format!("source[{i}] of {group}");
        vec![name, count(source.entered), count(source.turned_away)]
    });
    add(&["source", "entered", "turned away"], sources.collect());
    html
}

fn states<V: Vector>(summary: &Summary<'_, V>) -> String {
    let mut rows = Vec::new();
    for group in summary.counters.groups().iter().filter(|group| group.states.len() > 1) {
        for state in group.states.iter().filter(|state| state.entered > 0 || state.inside > 0) {
            let inside = count(state.inside as u64);
            rows.push(vec![group.name.clone(), state.name.clone(), count(state.entered), inside]);
        }
    }
    if rows.is_empty() {
        return String::new();
    }
    table(&["group", "state", "entered", "in it at the end"], &[2, 3], &bounded(rows))
}

fn sentences<V: Vector>(summary: &Summary<'_, V>) -> Vec<String> {
    let counters = &summary.counters;
    let unit = summary.presentation.units.after_length();
    let mut sentences = Vec::new();
    if counters.can_arrive() {
        let (agents, times) = (count(counters.arrived() as u64), count(counters.arrivals()));
        sentences.push(format!("Agents that arrived: {agents}; arrivals: {times}."));
    }
    if counters.unreachable() > 0 {
        let times = count(counters.unreachable());
        sentences.push(format!("Searches that found no route to the target: {times}."));
    }
    if let Some(solid) = counters.solid_statistics() {
        sentences.push(format!(
            "Solid bodies: the deepest overlap is {} of a radius (bound {}); it is above 0.05 in \
             {} of {} ticks.",
            significant(f64::from(solid.deepest)),
            SolidStatistics::BOUND,
            count(solid.above_5_percent),
            count(solid.ticks)
        ));
        if solid.entering > 0.0 {
            sentences.push(format!(
                "Bodies that entered overlapped by up to {} of a radius in their first tick.",
                significant(f64::from(solid.entering))
            ));
        }
    } else if let Some(found) = summary.overlaps.filter(|_| summary.has_bodies()) {
        sentences.push(if found.pairs == 0 {
            "No bodies overlap at the end.".to_string()
        } else {
            format!(
                "Pairs of bodies that overlap at the end: {}, the deepest by {}{unit}.",
                count(found.pairs),
                significant(f64::from(found.deepest))
            )
        });
    }
    sentences
}

/// The values of the measures over the run.
pub(super) fn ends(ends: &[EndValue], units: &Units) -> String {
    if ends.is_empty() {
        return String::new();
    }
    let with_groups = ends.iter().any(|end| end.group.is_some());
    let rows = ends.iter().map(|end| {
        let value = if end.value.is_finite() { significant(end.value) } else { "none".to_string() };
        let mut row = vec![end.measure.clone(), end.quantity.replace('_', " ")];
        if with_groups {
            row.push(end.group.clone().unwrap_or_else(|| "all".to_string()));
        }
        row.extend([value, units.in_names(end.unit)]);
        row
    });
    let rows = bounded(rows.collect());
    if with_groups {
        table(&["measure", "quantity", "group", "value", "unit"], &[3], &rows)
    } else {
        table(&["measure", "quantity", "value", "unit"], &[2], &rows)
    }
}
