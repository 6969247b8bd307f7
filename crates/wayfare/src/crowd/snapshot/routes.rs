//! The routes of agents with `navigate` as bytes. Meshes follow from the obstacles.

use alloc::boxed::Box;
use alloc::string::ToString;
use alloc::vec::Vec;

use glam::Vec2;

use crate::crowd::encoding::bytes::{Read, Reader, Writer, damaged};
use crate::crowd::encoding::changes::Changes;
use crate::crowd::encoding::layout::MOST_TICKS;
use crate::crowd::facade::crowd::Crowd;
use crate::crowd::routes::Routes;
use crate::geometry::navmesh::{Choice, Navigator, NavigatorState, RouteState, UnitState};
use crate::geometry::obstacle::Obstacle;
use crate::vector::Vector;

/// The bytes of a unit without the points of its route.
const UNIT: usize = 69;
/// The bytes of a choice without its targets.
const CHOICE: usize = 21;
const STATES: [RouteState; 3] = [RouteState::Waiting, RouteState::Known, RouteState::Unreachable];

impl Writer {
    /// The routes of all agents; nothing for a crowd without `navigate`.
    pub(super) fn routes<V: Vector>(mut self, crowd: &Crowd<V>) -> Self {
        let Some(routes) = &crowd.world.routes else { return self };
        let NavigatorState { tick, choices, units } = routes.navigator.save();
        self.flag(routes.outdated);
        self.u64(tick);
        self.index(choices.len());
        for Choice { targets, queue_length, rechoose } in &choices {
            self.vectors(targets);
            self.f32(*queue_length);
            self.flag(rechoose.is_some());
            self.u64(rechoose.unwrap_or(0));
        }
        self.index(units.len());
        units.iter().for_each(|unit| self.unit(unit));
        self
    }

    fn unit(&mut self, unit: &UnitState) {
        // Without `..`: a new field does not compile until it is written here.
        let UnitState {
            id,
            target,
            planned,
            looked,
            point,
            after,
            clearance,
            state,
            points,
            next,
            requested,
            choice,
            chosen,
        } = unit;
        self.u32(*id as u32);
        [*target, *planned, looked.unwrap_or(Vec2::ZERO), *point]
            .into_iter()
            .for_each(|p| self.vector(p));
        self.f32(*after);
        self.f32(*clearance);
        let flags = [requested.is_some(), looked.is_some()];
        self.u8(*state as u8 | u8::from(flags[0]) << 2 | u8::from(flags[1]) << 3);
        self.u32(*next as u32);
        self.u64(requested.unwrap_or(0));
        self.u32(choice.map_or(0, |choice| choice as u32 + 1));
        self.u64(*chosen);
        self.vectors(points);
    }
}

impl Reader<'_> {
    fn choice(&mut self) -> Read<Choice> {
        let (targets, queue_length) = (self.vectors()?, self.f32()?);
        let (has_time, ticks) = (self.flag()?, self.u64()?);
        Ok(Choice { targets, queue_length, rechoose: has_time.then_some(ticks) })
    }

    fn unit(&mut self) -> Read<UnitState> {
        let id = self.u32()?.into();
        let [target, planned, looked, point] =
            [self.vector()?, self.vector()?, self.vector::<Vec2>()?, self.vector()?];
        let (after, clearance, bits) = (self.f32()?, self.f32()?, self.u8()?);
        let Some(&state) = STATES.get(usize::from(bits & 3)).filter(|_| bits < 16) else {
            return damaged("a route has a state that does not exist");
        };
        let (next, requested) = (self.u32()? as usize, self.u64()?);
        let (choice, chosen) = (self.u32()?, self.u64()?);
        Ok(UnitState {
            id,
            target,
            planned,
            looked: (bits & 8 != 0).then_some(looked),
            point,
            after,
            clearance,
            state,
            points: self.vectors()?,
            next,
            requested: (bits & 4 != 0).then_some(requested),
            choice: choice.checked_sub(1).map(|choice| choice as usize),
            chosen,
        })
    }
}

impl<V: Vector> Crowd<V> {
    /// The routes round these obstacles, without agents.
    fn navigator_round(&self, obstacles: &[Obstacle<V>]) -> Navigator<V> {
        Routes::navigator(obstacles, &self.world.space, &self.origin.setup.navigation)
    }

    /// The routes of a snapshot with these changes by commands; `None` for a crowd without
    /// `navigate`.
    pub(super) fn read_routes(
        &self,
        bytes: &[u8],
        changes: Option<&Changes<V>>,
    ) -> Read<Option<Box<Routes<V>>>> {
        if bytes.is_empty() {
            return Ok(None);
        }
        let mut reader = Reader(bytes);
        let (outdated, tick) = (reader.flag()?, reader.u64()?);
        let count = reader.count(CHOICE)?;
        let choices = reader.many(count, Reader::choice)?;
        let count = reader.count(UNIT)?;
        let units = reader.many(count, Reader::unit)?;
        if tick > MOST_TICKS {
            return damaged(format!("its routes are of tick {tick}"));
        }
        if !reader.0.is_empty() || !units.is_sorted_by(|a, b| a.id < b.id) {
            return damaged("the routes of its agents are out of order");
        }
        let saved = NavigatorState { tick, choices, units };
        let restored = match (&self.world.routes, changes) {
            // The same obstacles have the same meshes.
            (Some(own), None) if !own.outdated => own.navigator.restored(&saved),
            (_, None) => self.navigator_round(&self.world.obstacles).restored(&saved),
            (_, Some(changes)) => {
                let shapes = changes.obstacles.iter().cloned();
                let obstacles: Vec<_> =
                    shapes.map(|shape| Obstacle::in_space(shape, &self.world.space)).collect();
                self.navigator_round(&obstacles).restored(&saved)
            }
        };
        match restored {
            Ok(navigator) => Ok(Some(Box::new(Routes { navigator, outdated }))),
            Err(error) => damaged(error.to_string()),
        }
    }
}
