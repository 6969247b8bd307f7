//! What a field of directions says, as strokes that can be drawn: for pictures and the viewer.

use wayfare::Vector;
use wayfare::geometry::flow_field::FlowField;
use wayfare::geometry::obstacle::Obstacles;
use wayfare::spatial::space::Space;

/// At most so many strokes of a field are side by side where it is widest, and no fewer than so
/// many.
const STROKES: f32 = 30.0;
const FEWEST: f32 = 16.0;

/// Places of a field (length) and the way that leads on from each (length): in rows, as close as
/// its cells or closer where those are wide; in space half way up. None inside of obstacles, and
/// none where the field says nothing.
pub fn strokes<V: Vector>(field: &FlowField<V>, obstacles: Obstacles<'_, V>) -> Vec<(V, V)> {
    let (low, high) = field.extent();
    let size = high - low;
    let widest = size.axis(0).max(size.axis(1));
    let spacing = field.cell().clamp(widest / STROKES, widest / FEWEST);
    let counts =
        [0, 1].map(|axis| ((size.axis(axis) / spacing) as usize).clamp(1, STROKES as usize));
    let part = |axis: usize, at: usize| (at as f32 + 0.5) / counts[axis] as f32;
    let places = (0..counts[1]).flat_map(|y| (0..counts[0]).map(move |x| [x, y]));
    let place = |at: [usize; 2]| {
        V::from_fn(|i| low.axis(i) + size.axis(i) * if i < 2 { part(i, at[i]) } else { 0.5 })
    };
    let free = |p: &V| obstacles.nearest(&Space::default(), *p, 0.0).is_none();
    let said = |p: V| {
        field
            .direction(p, obstacles)
            .filter(|way| way.length() > 0.01)
            .map(|way| (p, way * spacing))
    };
    places.map(place).filter(free).filter_map(said).collect()
}
