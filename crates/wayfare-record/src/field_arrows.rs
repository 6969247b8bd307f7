//! Flow fields as arrows, for pictures and the viewer.

use wayfare::geometry::flow_field::FlowField;
use wayfare::geometry::obstacle::Obstacles;
use wayfare::spatial::space::Space;
use wayfare::vector::Up;
use wayfare::{AgentId, Crowd, Vector};

/// The most and the fewest arrows along the longer side of a field.
const MOST: f32 = 30.0;
const FEWEST: f32 = 16.0;

/// The flow field that a picture shows: of several only one, as arrows of two cannot be told apart.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownField<V> {
    /// Its name.
    pub name: String,
    /// Its [arrows](field_arrows).
    pub arrows: Vec<(V, V)>,
    /// The number of fields of the crowd.
    pub of: usize,
}

impl<V: Vector> ShownField<V> {
    /// The field that `agent` follows; if there is none, the first one. `None` without fields.
    pub fn of(crowd: &Crowd<V>, agent: Option<AgentId>) -> Option<Self> {
        // A removed field has a single cell.
        let exists = |index: &usize| crowd.fields()[*index].cells().nth(1).is_some();
        let existing = || (0..crowd.fields().len()).filter(exists);
        let followed = agent.and_then(|id| crowd.field_of(id)).map(|field| field.0);
        let index = followed.filter(exists).or_else(|| existing().next())?;
        Some(Self {
            name: crowd.field_names().nth(index)?.to_string(),
            arrows: field_arrows(&crowd.fields()[index], crowd.obstacles().into(), crowd.up()),
            of: existing().count(),
        })
    }
}

/// Arrows of a flow field: start (length) and vector (length), in rows as seen from above.
///
/// Their spacing is the cell size, clamped to 16 to 30 arrows along the longer side. In 3D they
/// show the layer at half height. Positions inside obstacles and positions without a direction
/// have no arrow.
pub fn field_arrows<V: Vector>(
    field: &FlowField<V>,
    obstacles: Obstacles<'_, V>,
    up: Up,
) -> Vec<(V, V)> {
    let (low, high) = field.extent();
    let size = high - low;
    let (flat_low, flat) = (up.ground(low), up.ground(size));
    let widest = flat.x.max(flat.y);
    let spacing = field.cell().clamp(widest / MOST, widest / FEWEST);
    let counts = [0, 1].map(|axis| ((flat[axis] / spacing) as usize).clamp(1, MOST as usize));
    let fraction = |axis: usize, i: usize| (i as f32 + 0.5) / counts[axis] as f32;
    let indices = (0..counts[1]).flat_map(|y| (0..counts[0]).map(move |x| [x, y]));
    let position = |at: [usize; 2]| {
        let ground = [0, 1].map(|i| flat_low[i] + flat[i] * fraction(i, at[i]));
        up.at_height_of(ground.into(), V::from_fn(|i| low.axis(i) + size.axis(i) * 0.5))
    };
    let free = |p: &V| obstacles.nearest(&Space::default(), *p, 0.0).is_none();
    let arrow = |p: V| {
        field
            .direction(p, obstacles)
            .filter(|direction| direction.length() > 0.01)
            .map(|direction| (p, direction * spacing))
    };
    indices.map(position).filter(free).filter_map(arrow).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use wayfare::behavior::FollowFlow;
    use wayfare::crowd::{Group, Setup, Spawn};
    use wayfare::geometry::flow_field::FieldPlan;
    use wayfare::glam::{Vec2, vec2};
    use wayfare::{FieldId, List};

    #[test]
    fn of_several_fields_the_first_is_shown_or_the_one_that_an_agent_follows() {
        let field = |name: &str, direction: Vec2| {
            let vectors = vec![direction; 4];
            let (origin, cell) = (vec2(0.0, 0.0), 5.0);
            let plan = FieldPlan::Vectors { origin, cell, columns: 2, rows: None, vectors };
            (name.to_string(), plan)
        };
        let mut group = Group::new("leaves", 1, Spawn::Points(vec![vec2(1.0, 2.0)]), 1.0);
        group.steer = List::default().with(FollowFlow::new(FieldId(1)));
        let fields = vec![field("east", Vec2::X), field("north", Vec2::Y), field("up", Vec2::Y)];
        let setup = Setup { fields, groups: vec![group], ..Setup::default() };
        let mut crowd = Crowd::new(setup).unwrap();
        let shown = |crowd: &Crowd<Vec2>, agent| {
            let shown = ShownField::of(crowd, agent).unwrap();
            (shown.name.clone(), shown.of, shown.arrows[0].1.x > 0.0)
        };
        assert_eq!(shown(&crowd, None), ("east".to_string(), 3, true));
        assert_eq!(shown(&crowd, Some(AgentId(0))), ("north".to_string(), 3, false));
        assert_eq!(shown(&crowd, Some(AgentId(9))), ("east".to_string(), 3, true));
        crowd.remove_field(FieldId(0)).unwrap();
        assert_eq!(shown(&crowd, None), ("north".to_string(), 2, false));
    }
}
