//! The summary of a run as text for people.

use wayfare::Vector;
use wayfare::crowd::ExitAction;
use wayfare_measure::EndValue;
use wayfare_record::Summary;
use wayfare_record::counters::SolidStatistics;
use wayfare_scene::{Units, counted, printable, short};

/// The most groups, lines, exits, sources and states that the text names.
const MOST_NAMED: usize = 6;

/// The text: it names only features that the scene has.
pub(crate) fn text<V: Vector>(summary: &Summary<'_, V>) -> String {
    let (crowd, counters) = (summary.crowd, &summary.counters);
    let units = &summary.presentation.units;
    let named = counters
        .groups()
        .iter()
        .take(MOST_NAMED)
        .map(|group| format!("{} {}", group.start, short(&group.name, 100)));
    let mut agents: Vec<String> = named.collect();
    if let Some(more) = counters.groups().len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
        agents.push(format!(
            "and {}: {} in all",
            counted(more, "more group"),
            counted(crowd.len(), "agent")
        ));
    }
    let ticks = counted(summary.ticks() as usize, "tick");
    let mut text = format!(
        "{}\n  {}; {ticks} to time {}{}, {:.0} ticks/s\n",
        short(&summary.title, 100),
        agents.join(", "),
        crowd.time(),
        units.after_time(),
        summary.ticks_per_second()
    );
    for count in crowd.lines().iter().take(MOST_NAMED) {
        text.push_str(&format!(
            "  line {}: {} to the left, {} to the right\n",
            short(&count.line.name, 100),
            count.left,
            count.right
        ));
    }
    for (i, count) in crowd.exits().iter().enumerate().take(MOST_NAMED) {
        let done = if count.exit.then == ExitAction::Remove { "left" } else { "respawned" };
        let name = short(&summary.presentation.exit(i), 100);
        text.push_str(&format!("  {name}: {} {done}\n", count.left));
    }
    for (i, count) in crowd.sources().iter().enumerate().take(MOST_NAMED) {
        let away = if count.turned_away > 0 {
            let are = if count.source.apart { "wait" } else { "turned away" };
            format!(", {} {are}", count.turned_away)
        } else {
            String::new()
        };
        text.push_str(&format!("  source[{i}]: {} entered{away}\n", count.entered));
    }
    let more = [crowd.lines().len(), crowd.exits().len(), crowd.sources().len()]
        .map(|count| count.saturating_sub(MOST_NAMED))
        .iter()
        .sum::<usize>();
    if more > 0 {
        let nouns = if crowd.sources().len() > MOST_NAMED {
            "lines, exits or sources"
        } else {
            "lines or exits"
        };
        text.push_str(&format!("  and {more} more {nouns}\n"));
    }
    for group in counters.groups().iter().filter(|group| group.gone > 0).take(MOST_NAMED) {
        text.push_str(&format!("  {}: {} gone\n", short(&group.name, 40), group.gone));
    }
    // Who has left by an exit did not have to arrive.
    let left = crowd.exits().iter().any(|exit| exit.left > 0);
    if counters.arrivals() > 0 || (counters.can_arrive() && !left) {
        let again = if counters.arrivals() > counters.arrived() as u64 {
            format!(", {} times", counters.arrivals())
        } else {
            String::new()
        };
        text.push_str(&format!("  {} arrived{again}\n", counters.arrived()));
    }
    let crowded_out = counters.crowded_out(crowd);
    if crowded_out > 0 {
        text.push_str(&format!(
            "  {crowded_out} ordered to a point that others hold did not arrive; docs/orders.md \
             has lists that end\n"
        ));
    }
    if counters.unreachable() > 0 {
        let count = times(counters.unreachable());
        text.push_str(&format!("  no route to the target was found {count}\n"));
    }
    for group in counters.groups().iter().filter(|group| group.states.len() > 1).take(MOST_NAMED) {
        let state = |state: &wayfare_record::counters::StateCounters| {
            format!(
                "{} entered {}, {} in it",
                short(&state.name, 40),
                times(state.entered),
                state.inside
            )
        };
        // States without members and entries are left out.
        let known: Vec<_> =
            group.states.iter().filter(|state| state.entered > 0 || state.inside > 0).collect();
        let mut states: Vec<String> =
            known.iter().take(MOST_NAMED).map(|known| state(known)).collect();
        if let Some(more) = known.len().checked_sub(MOST_NAMED).filter(|more| *more > 0) {
            states.push(format!("and {}", counted(more, "more state")));
        }
        if !states.is_empty() {
            text.push_str(&format!("  {}: {}\n", short(&group.name, 40), states.join("; ")));
        }
    }
    if let Some(solid) = summary.counters.solid_statistics() {
        text.push_str(&format!(
            "  solid bodies: the deepest overlap is {:.3} of a radius (bound {}); above 0.05 in {} \
             of {}\n",
            solid.deepest,
            SolidStatistics::BOUND,
            solid.above_5_percent,
            counted(solid.ticks as usize, "tick")
        ));
        if solid.entering > 0.0 {
            let entering = solid.entering;
            text.push_str(&format!(
                "  bodies in their first tick: the deepest overlap is {entering:.3}\n"
            ));
        }
    } else if summary.has_bodies() {
        text.push_str(&match summary.overlaps {
            None => "  overlaps: too many to count\n".to_string(),
            Some(found) if found.pairs == 0 => "  no bodies overlap\n".to_string(),
            Some(found) => {
                let overlap = if found.pairs == 1 { "overlaps" } else { "overlap" };
                format!(
                    "  {} of bodies {overlap}, the deepest by {:.3}{}\n",
                    counted(found.pairs as usize, "pair"),
                    found.deepest,
                    units.after_length()
                )
            }
        });
    }
    text.push_str(&measures(&summary.end.measures, units));
    if summary.end.commands_left > 0 {
        text.push_str(&format!(
            "  {} of the log not applied: the run ended before\n",
            counted(summary.end.commands_left, "command")
        ));
    }
    for path in &summary.end.files {
        text.push_str(&format!("  wrote {}\n", printable(path)));
    }
    text
}

/// A line per measure, or per measure and group, with its values over the run.
fn measures(ends: &[EndValue], units: &Units) -> String {
    let of = |end: &EndValue| (end.measure.clone(), end.group.clone());
    let mut text = String::new();
    for (i, end) in ends.iter().enumerate() {
        if i == 0 || of(&ends[i - 1]) != of(end) {
            let group = end.group.as_ref().map(|group| format!(", {}", short(group, 40)));
            let end_of_line = if i > 0 { "\n" } else { "" };
            let measure = short(&end.measure, 40);
            text.push_str(&format!("{end_of_line}  {measure}{}: ", group.unwrap_or_default()));
        } else {
            text.push_str(", ");
        }
        text.push_str(&format!("{} {}", end.quantity.replace('_', " "), number(end.value)));
        if *units != Units::default() && !end.unit.is_empty() {
            let unit = units.in_names(end.unit);
            text.push_str(&format!(" {}", unit.strip_prefix("1 ").unwrap_or(&unit)));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    text
}

/// A number with at most four significant digits, or all digits of a larger whole part.
fn number(x: f64) -> String {
    if !x.is_finite() {
        return "none".to_string();
    }
    let before = if x.abs() >= 1.0 { x.abs().log10().floor() as usize + 1 } else { 1 };
    let text = format!("{x:.*}", 4_usize.saturating_sub(before));
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

fn times(count: u64) -> String {
    match count {
        1 => "once".to_string(),
        2 => "twice".to_string(),
        _ => format!("{count} times"),
    }
}
