//! Hints at members that start in an obstacle or outside the bounds.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use super::hint_list::Hints;
use super::world::{HintWorld, MEMBERS, point};
use crate::crowd::setup::allowed::KeyPath;
use crate::crowd::setup::draws;
use crate::crowd::setup::group::{Group, Spawn};
use crate::geometry::obstacle::Shape;
use crate::vector::Vector;

/// The least share of the members with random places that start in obstacles or outside the bounds
/// for a hint: a tenth. Solid obstacles and `avoid_obstacles` push a few out.
const SHARE: usize = 10;

/// The reason why a start position is not free.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Blocked {
    Obstacle(usize),
    Outside,
}

impl Blocked {
    /// With `enters` a member may come from beyond open bounds on purpose: only walls count.
    fn of<V: Vector>(world: &HintWorld<V>, group: &Group<V>, p: V, enters: bool) -> Option<Self> {
        let counts = !enters || world.space.edge().has_walls();
        if counts && world.is_outside(p) {
            return Some(Self::Outside);
        }
        if world.concerns(group) { world.around(p).map(Self::Obstacle) } else { None }
    }

    fn text(self) -> String {
        match self {
            Self::Obstacle(index) => format!("in obstacle[{index}]"),
            Self::Outside => String::from("outside the bounds"),
        }
    }
}

impl Hints<'_> {
    /// Members that start in an obstacle that concerns them, or outside the bounds: open ones hold
    /// no agent, but pictures show what is inside.
    pub(super) fn places<V: Vector>(&mut self, world: &HintWorld<V>) {
        let (setup, top) = (world.setup, KeyPath::default());
        if setup.obstacles.is_empty() && (setup.bounds.is_none() || world.space.wraps()) {
            return;
        }
        let mut first = 0_u32;
        for (i, group) in setup.groups.iter().enumerate() {
            let key_path = top.key("group").at(i).key("spawn");
            match &group.spawn {
                Spawn::Points(points) => self.points(world, &key_path, group, points),
                // Validation places bodies that start apart.
                Spawn::Apart(_) => {}
                Spawn::Along(path) => {
                    let Some((_, path)) = setup.paths.get(path.0) else { continue };
                    let open = group.count.saturating_sub(1);
                    let gaps = if path.is_closed() { group.count } else { open }.max(1);
                    let step = path.length() / gaps as f32;
                    let tested = group.count.min(MEMBERS / 8);
                    let places = (0..tested).map(|k| path.point_at(step * k as f32)).collect();
                    self.members(world, &key_path, group, places);
                }
                _ => {
                    let members = draws::members(setup, group, first, &[]).take(MEMBERS);
                    let places = members.map(|(_, agent)| agent.position).collect();
                    self.members(world, &key_path, group, places);
                }
            }
            first = first.wrapping_add(group.count as u32);
        }
        for (i, source) in setup.sources.iter().enumerate() {
            let Some(group) = setup.groups.get(source.group.0) else { continue };
            let key = if matches!(source.area, Shape::Circle { .. }) { "circle" } else { "box" };
            let key_path = top.key("source").at(i).key(key);
            let ids = 0..MEMBERS as u32;
            let places: Vec<V> = ids
                .map(|id| draws::inside(setup.seed, id, &source.area, world.space.up()))
                .map(|p| world.space.inside(p))
                .collect();
            self.area(world, &key_path, group, &places);
        }
    }

    fn points<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        group: &Group<V>,
        points: &[V],
    ) {
        for (k, p) in points.iter().enumerate() {
            let at = world.space.inside(*p);
            if let Some(blocked) = Blocked::of(world, group, at, true) {
                let message = format!("a member of \"{}\" starts {}", group.name, blocked.text());
                self.add(key_path.key("points").at(k), message, "a point that is free");
            }
        }
    }

    /// Hints at the first members of a group, which start at these places.
    fn members<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        group: &Group<V>,
        places: Vec<V>,
    ) {
        let enters = matches!(group.spawn, Spawn::Along(_));
        let blocked = |p: &V| Blocked::of(world, group, *p, enters).map(|blocked| (*p, blocked));
        let mut found = places.iter().filter_map(blocked);
        let Some((p, first)) = found.next() else { return };
        let count = 1 + found.count();
        let is_random = matches!(group.spawn, Spawn::Inside(_));
        if is_random && count * SHARE < places.len() {
            return;
        }
        let of = if places.len() == group.count {
            format!("{} members", group.count)
        } else {
            format!("the first {} members", places.len())
        };
        let message = format!(
            "{count} of {of} of \"{}\" start in an obstacle or outside the bounds, such as at {}, \
             {}",
            group.name,
            point(p),
            first.text()
        );
        let better = match group.spawn {
            Spawn::Inside(_) => "an area that is free, or `apart = true` beside it",
            _ => "places that are free",
        };
        self.add(key_path.clone(), message, better);
    }

    /// Hints at an area in which agents enter, by random places in it.
    fn area<V: Vector>(
        &mut self,
        world: &HintWorld<V>,
        key_path: &KeyPath,
        group: &Group<V>,
        places: &[V],
    ) {
        let blocked = |p: &V| Blocked::of(world, group, *p, true);
        let mut found = places.iter().filter_map(blocked);
        let Some(first) = found.next() else { return };
        let count = 1 + found.count();
        if count * SHARE < places.len() {
            return;
        }
        let message = format!(
            "{} % of this area are in obstacles or outside the bounds, such as {}: members of \
             \"{}\" enter there",
            count * 100 / places.len(),
            first.text(),
            group.name
        );
        self.add(key_path.clone(), message, "an area that is free");
    }
}
