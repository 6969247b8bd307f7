//! The states of an agent or a group of a running scene.

use crate::session::dimension::Dimension;
use crate::session::measures::Subject;
use crate::session::scene::RunningScene;
use crate::session::states::{StatNow, StatesNow, condition_text};

impl<V: Dimension> RunningScene<V> {
    pub(super) fn states_of(&self, subject: Subject) -> Option<StatesNow> {
        // The draft has the present parameters of conditions; the setup those of the start.
        let setup = &V::scene(self.draft.scene())?.setup;
        let (group_id, id) = match subject {
            Subject::Agent(id) => (self.crowd.get(id)?.group, Some(id)),
            Subject::Group(group) => (group, None),
        };
        let group = setup.groups.get(group_id.0)?;
        if group.states.is_empty() && group.stats.is_empty() {
            return None;
        }
        let (mut counts, mut sums, mut members) =
            (vec![0; group.states.len()], vec![0.0_f64; group.stats.len()], 0_usize);
        for member in self.members(group_id).filter(|member| id.is_none_or(|id| id == member.id)) {
            if let Some(state) = member
                .state
                .and_then(|name| group.states.iter().position(|state| state.name == name))
            {
                counts[state] += 1;
            }
            sums.iter_mut().zip(member.stats).for_each(|(sum, stat)| *sum += f64::from(*stat));
            members += 1;
        }
        let names = group.states.iter().map(|state| state.name.clone());
        // A transition out of the crowd leads to no state.
        let transitions = group.states.iter().enumerate().flat_map(|(from, state)| {
            let leave = state.leave.iter();
            let found = |to| group.state_of(to).map(|to| to.0);
            leave.flat_map(move |exit| {
                exit.to.states().filter_map(found).map(move |to| (from, to, exit))
            })
        });
        let mean = |sum: f64| (sum / members.max(1) as f64) as f32;
        Some(StatesNow {
            group: group_id,
            states: names.zip(counts).collect(),
            transitions: transitions
                .map(|(from, to, exit)| (from, to, condition_text(&exit.when, setup, group)))
                .collect(),
            single_agent: id.is_some(),
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

#[cfg(test)]
mod tests {
    use crate::session::measures::Subject;
    use crate::session::open::open;
    use crate::session::states::StatesNow;
    use wayfare::{AgentId, GroupId};
    use wayfare_scene::{Format, bundled};

    #[test]
    fn an_agent_is_in_one_state_a_group_is_counted_and_transitions_have_conditions_in_words() {
        let mut session =
            open("hunt", bundled("hunter-and-prey").unwrap().text, Format::Toml).unwrap();
        (0..100).for_each(|_| session.step(None));
        let hunter = session.states(Subject::Agent(AgentId(0))).unwrap();
        assert!(
            hunter.single_agent && hunter.states.iter().map(|(_, count)| count).sum::<usize>() == 1
        );
        let transitions: Vec<_> =
            hunter.transitions.iter().map(|(from, to, when)| (*from, *to, when.as_str())).collect();
        let rest = [
            (1, 2, "stamina is at most 0"),
            (1, 0, "prey is beyond 110"),
            (2, 0, "stamina is at least 200"),
        ];
        assert_eq!(transitions, [&[(0, 1, "prey is within 95")][..], &rest].concat());
        let stamina = &hunter.stats[0];
        assert!(
            (stamina.name.as_str(), stamina.min, stamina.max) == ("stamina", 0.0, 200.0)
                && stamina.value <= 199.0
        );
        let prey = session.states(Subject::Group(GroupId(1))).unwrap();
        assert_eq!(
            (
                prey.single_agent,
                prey.states.iter().map(|(_, count)| count).sum::<usize>(),
                prey.stats.len()
            ),
            (false, 12, 0)
        );
        assert!(
            prey.transitions
                .iter()
                .any(|(.., when)| when == "hunter is beyond 150, and the pointer is within 300"),
            "{:?}",
            prey.transitions
        );
        let plain = open("seek", bundled("seek").unwrap().text, Format::Toml).unwrap();
        assert_eq!(plain.states(Subject::Agent(AgentId(0))), None);
    }

    #[test]
    fn a_group_has_the_number_of_agents_in_each_state_and_the_mean_of_stats() {
        let text = "[[group]]\nname = \"guest\"\nspawn = { points = [[0, 0], [10, 0], [200, 0]] \
                    }\nmax_speed = 1\n[group.stat.thirst]\nstart = 8\nmin = 0\nmax = \
                    9\n[[group.state]]\nname = \"walk\"\nleave = [{ to = \"drink\", when = { near \
                    = [0, 0], within = 50 } }]\n[[group.state]]\nname = \"drink\"\nrate = { \
                    thirst = -3 }\n";
        let mut session = open("bar", text, Format::Toml).unwrap();
        (0..2).for_each(|_| session.step(None));
        let (all, last) = (
            session.states(Subject::Group(GroupId(0))).unwrap(),
            session.states(Subject::Agent(AgentId(2))).unwrap(),
        );
        let counted = |states: &StatesNow| {
            states.states.iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>()
        };
        assert_eq!(
            (counted(&all), counted(&last)),
            (vec!["walk 1".into(), "drink 2".into()], vec!["walk 1".into(), "drink 0".into()])
        );
        let [mean, own] = [&all, &last].map(|states| states.stats[0].value);
        let drunk = session.states(Subject::Agent(AgentId(0))).unwrap().stats[0].value;
        assert!(
            own == 8.0 && drunk < 8.0 && (mean - (2.0 * drunk + own) / 3.0).abs() < 1e-5,
            "{mean} {own} {drunk}"
        );
    }
}
