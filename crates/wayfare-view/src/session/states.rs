//! The states of a group as data: transitions, the number of agents in each state, and stats.

use wayfare::crowd::{Condition, Distribution, Group, Setup, TimeLimit};
use wayfare::parameter::{Named, StatId, Target, Variants};
use wayfare::{GroupId, Vector};

/// The states and stats of a group, or of one agent of it, at this tick.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatesNow {
    /// The group.
    pub(crate) group: GroupId,
    /// Each state's name and the number of agents in it; for one agent 0 or 1.
    pub(crate) states: Vec<(String, usize)>,
    /// Transitions: from which state to which, and the condition in words.
    pub(crate) transitions: Vec<(usize, usize, String)>,
    /// Whether this is one agent rather than its group.
    pub(crate) single_agent: bool,
    pub(crate) stats: Vec<StatNow>,
}

/// A stat of an agent, or the mean of a group.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatNow {
    pub(crate) name: String,
    pub(crate) value: f32,
    pub(crate) min: f32,
    pub(crate) max: f32,
}

/// A condition in words.
pub(crate) fn condition_text<V: Vector>(
    when: &Condition<V>,
    setup: &Setup<V>,
    group: &Group<V>,
) -> String {
    let stat = |stat: &Named<StatId>| {
        let known = stat.among(group.stats.iter().map(|stat| &*stat.name));
        known.map_or("?", |stat| group.stats[stat.0].name.as_str())
    };
    let target = |target: &Target<V>| match target {
        Target::Point(p) => format!(
            "({})",
            (0..V::DIMENSION).map(|i| p.axis(i).to_string()).collect::<Vec<_>>().join(", ")
        ),
        Target::Pointer => "the pointer".to_string(),
        Target::Goal => "its goal".to_string(),
        Target::Order => "its order".to_string(),
        Target::LastSeen => "the last seen position".to_string(),
        Target::Group(i) => {
            setup.groups.get(i.0).map_or("?".to_string(), |group| group.name.clone())
        }
        other => format!("{other:?}"),
    };
    let all = |conditions: &[Condition<V>], word: &str| {
        conditions
            .iter()
            .map(|when| condition_text(when, setup, group))
            .collect::<Vec<_>>()
            .join(word)
    };
    match when {
        Condition::Stat(i, most, least) => {
            let bounds =
                [most.map(|x| format!("at most {x}")), least.map(|x| format!("at least {x}"))];
            let bounds: Vec<_> = bounds.into_iter().flatten().collect();
            format!("{} is {}", stat(i), bounds.join(" and "))
        }
        Condition::Near(Target::Group(of), within, Some(state)) => {
            let names = setup.groups.get(of.0).map_or(&[][..], |group| &group.states);
            let state = names.get(state.0).map_or("", |state| &state.name);
            format!("{} in {state} is within {within}", target(&Target::Group(*of)))
        }
        Condition::Near(to, within, _) => format!("{} is within {within}", target(to)),
        Condition::FarFrom(to, beyond) => format!("{} is beyond {beyond}", target(to)),
        Condition::TimeInState(limit) => {
            let time = match *limit {
                TimeLimit::Same(time) => time.to_string(),
                TimeLimit::Drawn(Distribution::Same(time)) => time.to_string(),
                TimeLimit::Drawn(Distribution::Uniform(low, high)) => format!("{low} to {high}"),
                TimeLimit::Drawn(Distribution::Normal(mean, deviation)) => {
                    format!("{mean} ± {deviation}")
                }
                TimeLimit::Drawn(other) => format!("{other:?}"),
            };
            format!("it has been in this state for {time} of time")
        }
        Condition::PathDone(true) => "its path is done".to_string(),
        Condition::PathDone(false) => "its path is not done".to_string(),
        Condition::HasOrder(true) => "it has an order".to_string(),
        Condition::HasOrder(false) => "it has no order".to_string(),
        Condition::Sees(yes) => {
            if *yes { "it sees an agent" } else { "it sees no agent" }.to_string()
        }
        Condition::Remembers(true) => "it sees an agent or remembers a position".to_string(),
        Condition::Remembers(false) => "it sees no agent and remembers no position".to_string(),
        Condition::Stuck(within, time) => {
            format!("it has stayed within {within} for {time} of time")
        }
        Condition::All(conditions) => all(conditions, ", and "),
        Condition::Any(conditions) => format!("either {}", all(conditions, ", or ")),
        Condition::Not(condition) => format!("not: {}", condition_text(condition, setup, group)),
        other => other.name().to_string(),
    }
}
