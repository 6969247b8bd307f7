//! Flow fields as arrows, for pictures and the viewer.

use wayfare::Vector;
use wayfare::geometry::flow_field::FlowField;
use wayfare::geometry::obstacle::Obstacles;
use wayfare::spatial::space::Space;
use wayfare::vector::Up;

/// The most and the fewest arrows along the longer side of a field.
const MOST: f32 = 30.0;
const FEWEST: f32 = 16.0;

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
