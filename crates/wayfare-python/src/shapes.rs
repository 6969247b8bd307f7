//! Shapes as dictionaries, in the notation of scenes.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use wayfare::Vector;
use wayfare::geometry::obstacle::Shape;

/// A shape under its name, such as `{"circle": {"center": [3, 4], "radius": 1}}`.
pub(crate) fn shape_dict<'py, V: Vector>(
    py: Python<'py>,
    shape: &Shape<V>,
) -> PyResult<Bound<'py, PyDict>> {
    let values = PyDict::new(py);
    let point = |v: &V| -> Vec<f32> { (0..V::DIMENSION).map(|axis| v.axis(axis)).collect() };
    let name = match shape {
        Shape::Circle { center, radius } => {
            values.set_item("center", point(center))?;
            values.set_item("radius", radius)?;
            "circle"
        }
        Shape::Box { center, half, angle } if *angle == 0.0 => {
            values.set_item("min", point(&(*center - *half)))?;
            values.set_item("max", point(&(*center + *half)))?;
            "box"
        }
        Shape::Box { center, half, angle } => {
            values.set_item("center", point(center))?;
            values.set_item("size", point(&(*half * 2.0)))?;
            values.set_item("angle", angle.to_degrees())?;
            "box"
        }
        Shape::Segment { from, to, thickness } => {
            values.set_item("from", point(from))?;
            values.set_item("to", point(to))?;
            values.set_item("thickness", thickness)?;
            "segment"
        }
        Shape::Polygon { points } => {
            let points: Vec<[f32; 2]> = points.iter().map(|p| [p.x, p.y]).collect();
            let shape = PyDict::new(py);
            shape.set_item("polygon", points)?;
            return Ok(shape);
        }
    };
    let shape = PyDict::new(py);
    shape.set_item(name, values)?;
    Ok(shape)
}
