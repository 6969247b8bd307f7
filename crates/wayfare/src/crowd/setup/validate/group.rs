//! Validation of groups: names, limits, spawn positions, perception and stats.

use alloc::collections::BTreeSet;

use super::validator::Validator;
use crate::combine::Combine;
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::allowed::MAX_AGENTS;
use crate::crowd::setup::allowed::ValidationError;
use crate::crowd::setup::allowed::plain;
use crate::crowd::setup::allowed::ranges;
use crate::crowd::setup::group::{Group, Perception, Spawn};
use crate::crowd::setup::limit::Limit;
use crate::crowd::setup::places::{NoRoom, places};
use crate::crowd::setup::start_after::StartAfter;
use crate::order::WithoutOrder;
use crate::parameter::{Range, Target};
use crate::random::Distribution;
use crate::vector::Vector;

/// The error of a group of which only `placed` members found room apart.
pub(in crate::crowd) fn no_room<V: Vector>(
    key_path: &KeyPath,
    group: &Group<V>,
    placed: usize,
) -> ValidationError {
    ValidationError::new(
        key_path.key("count"),
        format!(
            "`count` is {}, and the area has room for {placed} bodies of \"{}\" apart",
            group.count, group.name
        ),
        format!("up to {placed}, a larger area, or smaller bodies"),
    )
}

impl<V: Vector> Validator<'_, V> {
    pub(super) fn all_groups(&mut self) {
        let (setup, top) = (self.setup, KeyPath::default());
        let mut names = BTreeSet::new();
        let mut total = 0_usize;
        for (i, group) in setup.groups.iter().enumerate() {
            let key_path = top.key("group").at(i);
            total = total.saturating_add(group.count);
            self.group_name(&key_path, group);
            if !group.name.is_empty() && !names.insert(&group.name) {
                self.error(
                    key_path.key("name"),
                    format!("there is a group \"{}\" already", group.name),
                    "a name that no other group has",
                );
            }
            self.group(&key_path, group);
        }
        if total > MAX_AGENTS {
            self.error(
                top.key("group"),
                format!("the groups have {total} agents together"),
                format!("at most {MAX_AGENTS}"),
            );
        }
    }

    /// There is room for the bodies that start apart. The rest of the setup is valid.
    pub(super) fn room(&mut self) {
        if let Err(NoRoom { group, placed }) = places(self.setup) {
            let key_path = KeyPath::default().key("group").at(group);
            self.errors.push(no_room(&key_path, &self.setup.groups[group], placed));
        }
    }

    fn group_name(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let mut keywords = Target::<V>::KEYWORDS.iter();
        if group.name.is_empty() {
            self.error(
                key_path.key("name"),
                "the group's name is empty",
                "a name that no other group has",
            );
        } else if let Some((word, meaning)) = keywords.find(|(word, _)| *word == group.name) {
            self.error(
                key_path.key("name"),
                format!("\"{word}\" is no name for a group"),
                format!("any other name: \"{word}\" is {meaning}"),
            );
        }
    }

    /// Validates the last group, which is added to a running crowd.
    pub(super) fn last_group(&mut self) {
        let setup = self.setup;
        if let Some((group, others)) = setup.groups.split_last() {
            let key_path = KeyPath::default().key("group").at(others.len());
            self.group_name(&key_path, group);
            self.group(&key_path, group);
        }
    }

    fn group(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let before = self.errors.len();
        self.table(key_path, group);
        if self.errors.len() == before {
            self.least_radius(key_path.key("radius"), group);
        }
        if let StartAfter::Listed(times) = &group.start_after {
            let is_counted = group.count > 0 && times.len() != group.count;
            if times.is_empty() || is_counted {
                let message = format!(
                    "the number of times is {}, and the group has {} members at the start",
                    times.len(),
                    group.count
                );
                let allowed = "a time for each member, or a range such as { uniform = [5, 20] }";
                self.error(key_path.key("start_after").key("list"), message, allowed);
            }
        }
        let most = group.bounds(Limit::MaxSpeed).1;
        if let Some(cap) = group.speed_cap.filter(|cap| most > *cap) {
            self.error(
                key_path.key("max_speed"),
                format!("`max_speed` is up to {}", plain(most)),
                format!("up to `speed_cap`, {}", plain(cap)),
            );
        }
        let least = group.bounds(Limit::MaxSpeed).0;
        if group.min_speed > 0.0 && group.min_speed > least {
            self.error(
                key_path.key("min_speed"),
                format!("`min_speed` is {}", plain(group.min_speed)),
                format!("up to the smallest `max_speed`, {}", plain(least)),
            );
        }
        if group.without_order == WithoutOrder::Target(Target::Order) {
            let at = key_path.key("without_order");
            self.error(at, "`without_order` is \"order\"", "\"hold\", or another target");
        }
        if group.heading_time > 0.0 && group.turning_radius.is_some() {
            self.error(
                key_path.key("heading_time"),
                format!(
                    "`heading_time` is {}, but wheels have a heading of their own",
                    plain(group.heading_time)
                ),
                "no `heading_time` beside `turning_radius`",
            );
        }
        self.positions(key_path, "spawn", group.count, &group.spawn);
        if let Some(goal) = &group.goal {
            self.positions(key_path, "goal", group.count, goal);
        }
        if let Some(Perception { of: Target::LastSeen, .. }) = group.sight {
            self.error(
                key_path.key("sight").key("of"),
                "`of` is \"last_seen\", which itself depends on `sight`",
                "a point, \"pointer\", \"goal\", or a group",
            );
        }
        self.list(&key_path.key("steer"), key_path, &group.steer);
        self.stats(key_path, group);
        let mut names = BTreeSet::new();
        for (i, state) in group.states.iter().enumerate() {
            self.state(&key_path.key("state").at(i), group, state, &mut names);
        }
        self.solvers(key_path, group);
        let rules = group.rules();
        let steer = key_path.key("steer");
        let rule = if rules.has(Combine::Context) { Combine::Context } else { Combine::Sum };
        let own = self.nested_choices_are_few(&steer, &group.steer, rule, 0);
        for (i, state) in group.states.iter().enumerate() {
            let steer = key_path.key("state").at(i).key("steer");
            self.nested_choices_are_few(&steer, &state.steer, group.rule(state), own);
        }
    }

    fn stats(&mut self, key_path: &KeyPath, group: &Group<V>) {
        let mut names = BTreeSet::new();
        for stat in &group.stats {
            let at = key_path.key("stat").key(&stat.name);
            if !names.insert(&*stat.name) {
                self.error(
                    at.clone(),
                    format!("there is a stat \"{}\" already", stat.name),
                    "a name that no other stat of the group has",
                );
            }
            self.table(&at, stat);
            let is_varied = !matches!(stat.start, Distribution::Same(_));
            if is_varied && stat.min <= stat.max && stat.start.check(ranges::STAT).is_ok() {
                self.distribution(at.key("start"), stat.start, stat.range());
            }
            if let Distribution::Same(start) = stat.start
                && (start < stat.min || start > stat.max)
            {
                self.error(
                    at.key("start"),
                    format!("`start` is {}", plain(start)),
                    format!(
                        "a number from `min`, {}, to `max`, {}",
                        plain(stat.min),
                        plain(stat.max)
                    ),
                );
            }
        }
    }

    pub(super) fn distribution(
        &mut self,
        key_path: KeyPath,
        distribution: Distribution,
        range: Range,
    ) {
        let Err((key, allowed)) = distribution.check(range) else { return };
        match distribution {
            Distribution::Same(x) => self.number(key_path, x, range),
            Distribution::Uniform(first, second) | Distribution::Normal(first, second) => {
                let message = format!("`{key}` is [{}, {}]", plain(first), plain(second));
                self.error(key_path.key(key), message, allowed);
            }
        }
    }

    /// Validates the positions of `count` members under `key`, `spawn` or `goal`.
    fn positions(&mut self, group: &KeyPath, key: &str, count: usize, positions: &Spawn<V>) {
        let key_path = group.key(key);
        match positions {
            Spawn::Apart(_) | Spawn::Along(_) if key != "spawn" => {
                let message = "`goal` keeps bodies apart or is along a path, as only `spawn` can";
                self.error(key_path, message, "a circle, a box, a grid, a ring, or points");
            }
            Spawn::Inside(shape) | Spawn::Apart(shape) => self.area(&key_path, shape),
            Spawn::Along(path) if path.0 >= self.setup.paths.len() => {
                let message = format!("there is no path {}", path.0);
                self.error(key_path.key("along"), message, "an existing path");
            }
            Spawn::Along(_) => {}
            Spawn::Grid { origin, spacing, columns, rows } => {
                let grid = key_path.key("grid");
                self.point(grid.key("origin"), *origin);
                self.number(grid.key("spacing"), *spacing, ranges::RADIUS);
                for (name, count) in [("columns", *columns), ("rows", *rows)] {
                    if count == 0 {
                        self.error(
                            grid.key(name),
                            format!("`{name}` is 0"),
                            "a whole number from 1",
                        );
                    }
                }
            }
            Spawn::Ring { center, radius, turn } => {
                let ring = key_path.key("ring");
                self.point(ring.key("center"), *center);
                self.number(ring.key("radius"), *radius, ranges::RADIUS);
                if !turn.is_finite() {
                    self.error(ring.key("turn"), format!("`turn` is {turn}"), "a finite angle");
                }
            }
            Spawn::Points(points) => {
                if points.len() != count {
                    let (at, allowed) = match key {
                        "spawn" => (group.key("count"), "the number of points, or left out"),
                        _ => (key_path.key("points"), "a point for each member"),
                    };
                    self.error(
                        at,
                        format!("`count` is {count}, and the number of points is {}", points.len()),
                        allowed,
                    );
                }
                for (i, p) in points.iter().enumerate() {
                    self.point(key_path.key("points").at(i), *p);
                }
            }
        }
    }
}
