//! The states of a group as data: what leads from one to another, who is in which, and the stats.

use wayfare::crowd::{Condition, Group, Setup};
use wayfare::parameter::{Target, Variants};

use super::{Dimension, Show, Who};

/// The states and stats of a group, as they are now.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct States {
    pub(crate) group: usize,
    /// Each state, and how many are in it: of one agent one or none.
    pub(crate) states: Vec<(String, usize)>,
    /// From which to which, and when.
    pub(crate) ways: Vec<(usize, usize, String)>,
    /// Whether it is one agent.
    pub(crate) one: bool,
    pub(crate) stats: Vec<StatNow>,
}

/// A stat of an agent, or the mean of a group's.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct StatNow {
    pub(crate) name: String,
    pub(crate) value: f32,
    pub(crate) min: f32,
    pub(crate) max: f32,
}

impl<V: Dimension> Show<V> {
    pub(super) fn states_of(&self, who: Who) -> Option<States> {
        // With the numbers that conditions have now.
        let setup = &V::scene(self.draft.scene())?.setup;
        let (index, id) = match who {
            Who::Agent(id) => (self.crowd.get(id)?.group, Some(id)),
            Who::Group(group) => (group, None),
        };
        let group = setup.groups.get(index)?;
        if group.states.is_empty() && group.stats.is_empty() {
            return None;
        }
        let (mut counts, mut sums, mut members) =
            (vec![0; group.states.len()], vec![0.0_f64; group.stats.len()], 0_usize);
        let here = self
            .order
            .iter()
            .map(|&place| self.crowd.agent_at_row(place))
            .filter(|member| member.group == index);
        for member in here.filter(|member| id.is_none_or(|id| id == member.id)) {
            if let Some(at) = member
                .state
                .and_then(|name| group.states.iter().position(|state| state.name == name))
            {
                counts[at] += 1;
            }
            sums.iter_mut().zip(member.stats).for_each(|(sum, stat)| *sum += f64::from(*stat));
            members += 1;
        }
        let names = group.states.iter().map(|state| state.name.clone());
        // A way that leads out of the crowd leads to none of the states.
        let ways = group.states.iter().enumerate().flat_map(|(from, state)| {
            state.leave.iter().filter_map(move |way| Some((from, way.to.state()?, way)))
        });
        let mean = |sum: f64| (sum / members.max(1) as f64) as f32;
        Some(States {
            group: index,
            states: names.zip(counts).collect(),
            ways: ways.map(|(from, to, way)| (from, to, said(&way.when, setup, group))).collect(),
            one: id.is_some(),
            stats: group
                .stats
                .iter()
                .zip(sums)
                .map(|(stat, sum)| StatNow {
                    name: stat.name.clone(),
                    value: mean(sum),
                    min: stat.min,
                    max: stat.max,
                })
                .collect(),
        })
    }
}

/// A condition in words.
fn said<V: Dimension>(when: &Condition<V>, setup: &Setup<V>, group: &Group<V>) -> String {
    let stat = |i: usize| group.stats.get(i).map_or("?", |stat| stat.name.as_str());
    let target = |target: &Target<V>| match target {
        Target::Point(p) => format!(
            "({})",
            (0..V::DIMENSION).map(|i| p.axis(i).to_string()).collect::<Vec<_>>().join(", ")
        ),
        Target::Pointer => "the pointer".to_string(),
        Target::Goal => "its goal".to_string(),
        Target::LastSeen => "where it last saw somebody".to_string(),
        Target::Group(i) => {
            setup.groups.get(*i).map_or("?".to_string(), |group| group.name.clone())
        }
    };
    let all = |conditions: &[Condition<V>], word: &str| {
        conditions.iter().map(|when| said(when, setup, group)).collect::<Vec<_>>().join(word)
    };
    match when {
        Condition::Stat(i, most, least) => {
            let bounds =
                [most.map(|x| format!("at most {x}")), least.map(|x| format!("at least {x}"))];
            let bounds: Vec<_> = bounds.into_iter().flatten().collect();
            format!("{} is {}", stat(i.0), bounds.join(" and "))
        }
        Condition::Near(to, within) => format!("{} is within {within}", target(to)),
        Condition::FarFrom(to, beyond) => format!("{} is beyond {beyond}", target(to)),
        Condition::TimeInState(time) => format!("{time} of time have passed in it"),
        Condition::PathDone(true) => "its path is done".to_string(),
        Condition::PathDone(false) => "its path is not done".to_string(),
        Condition::Sees(yes) => {
            if *yes { "it sees somebody" } else { "it sees nobody" }.to_string()
        }
        Condition::Remembers(true) => "it sees somebody, or remembers where".to_string(),
        Condition::Remembers(false) => "it remembers nobody".to_string(),
        Condition::Stuck(within, time) => {
            format!("it has got no farther than {within} for {time} of time")
        }
        Condition::All(conditions) => all(conditions, ", and "),
        Condition::Any(conditions) => format!("either {}", all(conditions, ", or ")),
        Condition::Not(condition) => format!("not: {}", said(condition, setup, group)),
        other => other.name().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::scene::open;
    use wayfare_scene::{Format, bundled};

    #[test]
    fn the_hunter_is_in_one_state_the_prey_are_counted_and_ways_say_when_they_are_taken() {
        let mut live =
            open("hunt", bundled("hunter-and-prey").unwrap().text, Format::Toml).unwrap();
        (0..100).for_each(|_| live.step(None));
        let hunter = live.states(Who::Agent(0)).unwrap();
        assert!(hunter.one && hunter.states.iter().map(|(_, count)| count).sum::<usize>() == 1);
        let ways: Vec<_> =
            hunter.ways.iter().map(|(from, to, when)| (*from, *to, when.as_str())).collect();
        let rest = [
            (1, 2, "stamina is at most 0"),
            (1, 0, "prey is beyond 110"),
            (2, 0, "stamina is at least 200"),
        ];
        assert_eq!(ways, [&[(0, 1, "prey is within 95")][..], &rest].concat());
        let stamina = &hunter.stats[0];
        assert!(
            (stamina.name.as_str(), stamina.min, stamina.max) == ("stamina", 0.0, 200.0)
                && stamina.value <= 199.0
        );
        let prey = live.states(Who::Group(1)).unwrap();
        assert_eq!(
            (prey.one, prey.states.iter().map(|(_, count)| count).sum::<usize>(), prey.stats.len()),
            (false, 12, 0)
        );
        assert!(
            prey.ways
                .iter()
                .any(|(.., when)| when == "hunter is beyond 150, and the pointer is within 300"),
            "{:?}",
            prey.ways
        );
        let plain = open("seek", bundled("seek").unwrap().text, Format::Toml).unwrap();
        assert_eq!(plain.states(Who::Agent(0)), None);
    }

    #[test]
    fn of_a_group_each_state_says_how_many_are_in_it_and_a_stat_its_mean() {
        let text = "[[group]]\nname = \"guest\"\nspawn = { points = [[0, 0], [10, 0], [200, 0]] \
                    }\nmax_speed = 1\n[group.stat.thirst]\nstart = 8\nmin = 0\nmax = \
                    9\n[[group.state]]\nname = \"walk\"\nleave = [{ to = \"drink\", when = { near \
                    = [0, 0], within = 50 } }]\n[[group.state]]\nname = \"drink\"\nrate = { \
                    thirst = -3 }\n";
        let mut live = open("bar", text, Format::Toml).unwrap();
        (0..2).for_each(|_| live.step(None));
        let (all, last) =
            (live.states(Who::Group(0)).unwrap(), live.states(Who::Agent(2)).unwrap());
        let counted = |states: &States| {
            states.states.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>()
        };
        assert_eq!(
            (counted(&all), counted(&last)),
            (vec!["walk 1".into(), "drink 2".into()], vec!["walk 1".into(), "drink 0".into()])
        );
        let [mean, own] = [&all, &last].map(|states| states.stats[0].value);
        let drunk = live.states(Who::Agent(0)).unwrap().stats[0].value;
        assert!(
            own == 8.0 && drunk < 8.0 && (mean - (2.0 * drunk + own) / 3.0).abs() < 1e-5,
            "{mean} {own} {drunk}"
        );
    }
}
