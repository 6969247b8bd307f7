//! The rows of a running crowd.

use std::mem;

use wayfare::{Crowd, Vector};

use super::{Columns, Header, Names, Row};

/// Makes rows of a crowd, in the order of ids.
#[derive(Debug, Default)]
pub(crate) struct CrowdRows {
    pub(crate) names: Names,
    order: Vec<u32>,
}

impl CrowdRows {
    /// The header of a trajectory of `crowd`: the data that all rows share.
    pub(crate) fn header<V: Vector>(crowd: &Crowd<V>, every: u64) -> Header {
        let columns =
            Columns { group: true, velocity: true, radius: true, facing: true, state: true };
        Header {
            dimension: V::DIMENSION,
            columns,
            dt: Some(crowd.dt()),
            every: Some(every.max(1)),
            single: true,
            about: Vec::new(),
            areas: Vec::new(),
        }
    }

    /// Calls `take` with the row of each agent.
    ///
    /// # Errors
    /// The first error of `take`.
    pub(crate) fn for_each<V: Vector, E>(
        &mut self,
        crowd: &Crowd<V>,
        mut take: impl FnMut(&Row, &Names) -> Result<(), E>,
    ) -> Result<(), E> {
        // Groups may have been added since the last tick; their indices are those of the crowd.
        let known = self.names.groups.len();
        self.names.groups.extend(crowd.group_names().skip(known).map(str::to_string));
        let (tick, time) = (crowd.tick(), crowd.time());
        let axes = |v: V| {
            let mut axes = [0.0; 3];
            (0..V::DIMENSION).for_each(|axis| axes[axis] = f64::from(v.axis(axis)));
            axes
        };
        let mut order = mem::take(&mut self.order);
        crowd.rows_by_id(&mut order);
        let mut result = Ok(());
        for &row in &order {
            let Some(agent_ref) = crowd.agent_at_row(row) else { continue };
            let agent = &agent_ref.agent;
            let row = Row {
                tick,
                time,
                id: agent_ref.id.0,
                group: agent_ref.group.0 as u32,
                state: agent_ref.state.map(|name| self.names.state_index(name)),
                position: axes(agent.position),
                velocity: axes(agent.velocity),
                radius: f64::from(agent.radius),
                facing: axes(agent.facing),
            };
            result = take(&row, &self.names);
            if result.is_err() {
                break;
            }
        }
        self.order = order;
        result
    }
}
