//! Groups compiled anew after a change of their setup.

use super::crowd::Crowd;
use crate::crowd::compiled::{CompiledGroup, cell_width, compile_groups};
use crate::crowd::pipeline::change::Change;
use crate::crowd::population::spawn;
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Agents whose state has a decider keep their preferred velocity between evaluations, others
    /// their force: converts one into the other where a command switched the decider on or off.
    fn convert_kept_forces(&mut self, before: &[CompiledGroup<V>]) {
        for row in 0..self.population.now.force.len() {
            let (group, state) = (
                self.population.now.group[row] as usize,
                self.population.now.state[row].state as usize,
            );
            let decides = |groups: &[CompiledGroup<V>]| {
                let state = groups.get(group).and_then(|group| group.states.get(state));
                state.is_some_and(|state| state.decider.is_some())
            };
            let velocity = self.population.now.velocity.get(row);
            match (decides(before), decides(&self.world.groups)) {
                (false, true) => self.population.now.force[row] += velocity,
                (true, false) => self.population.now.force[row] -= velocity,
                _ => {}
            }
        }
    }

    /// Compiles the groups of the setup again, after a command has changed them.
    pub(in crate::crowd) fn rebuild(&mut self) {
        let before = core::mem::replace(
            &mut self.world.groups,
            compile_groups(&self.origin.setup, &self.origin.structure).0,
        );
        self.convert_kept_forces(&before);
        self.go_on_exploring(before);
        self.tick.cell_width = cell_width(&self.origin.setup.groups, &self.world.groups);
        self.population.max_speed = spawn::max_speed(&self.origin.setup.groups);
        self.world.find_routes(&self.origin.setup.navigation);
        self.find_standing();
        self.world.tracker.prepare(&self.world.groups, &self.world.paths);
        self.changed(Change::Agents);
    }
}
