//! Areas as WKT (well-known text; OGC 06-103r4, section 7).

use wayfare::geometry::navmesh::WalkablePolygon;

use crate::number::push_number;

/// A box as polygon.
pub(crate) fn of_box([low_x, low_y]: [f64; 2], [high_x, high_y]: [f64; 2]) -> String {
    let outer = vec![[low_x, low_y], [high_x, low_y], [high_x, high_y], [low_x, high_y]];
    of_polygons(&[WalkablePolygon { outer, holes: Vec::new() }])
}

/// One polygon as `POLYGON`, several or none as `MULTIPOLYGON`.
pub(crate) fn of_polygons(polygons: &[WalkablePolygon]) -> String {
    let mut text = Vec::new();
    let push = |text: &mut Vec<u8>, polygon: &WalkablePolygon| {
        text.push(b'(');
        for (i, ring) in [&polygon.outer].into_iter().chain(&polygon.holes).enumerate() {
            text.extend(if i > 0 { &b", ("[..] } else { b"(" });
            // A ring ends where it begins.
            for (k, [x, y]) in ring.iter().chain(ring.first()).enumerate() {
                text.extend(if k > 0 { &b", "[..] } else { b"" });
                push_number(text, *x);
                text.push(b' ');
                push_number(text, *y);
            }
            text.push(b')');
        }
        text.push(b')');
    };
    match polygons {
        [] => text.extend(b"MULTIPOLYGON EMPTY"),
        [one] => {
            text.extend(b"POLYGON ");
            push(&mut text, one);
        }
        several => {
            text.extend(b"MULTIPOLYGON (");
            for (i, polygon) in several.iter().enumerate() {
                text.extend(if i > 0 { &b", "[..] } else { b"" });
                push(&mut text, polygon);
            }
            text.push(b')');
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

/// The box around all points of the texts; of zeros without any.
pub(crate) fn extent<'a>(texts: impl Iterator<Item = &'a str>) -> [[f64; 2]; 2] {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    let is_number = |c: char| c.is_ascii_digit() || ['.', '-', '+', 'e', 'E'].contains(&c);
    for point in texts.flat_map(|text| text.split([',', '(', ')'])) {
        let numbers = point.split_whitespace().filter(|word| word.chars().all(is_number));
        for (axis, x) in numbers.filter_map(|word| word.parse::<f64>().ok()).take(2).enumerate() {
            (low[axis], high[axis]) = (low[axis].min(x), high[axis].max(x));
        }
    }
    if low[0] <= high[0] && low[1] <= high[1] { [low, high] } else { [[0.0; 2]; 2] }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_closed_and_several_polygons_are_one_text() {
        let boxed = of_box([0.0, -0.5], [2.0, 1.0]);
        assert_eq!(
            extent([boxed.as_str(), "POLYGON EMPTY"].into_iter()),
            [[0.0, -0.5], [2.0, 1.0]]
        );
        assert_eq!(boxed, "POLYGON ((0 -0.5, 2 -0.5, 2 1, 0 1, 0 -0.5))");
        let triangle = vec![[0.0, 0.0], [4.0, 0.0], [0.0, 4.0]];
        let holed = WalkablePolygon { outer: triangle.clone(), holes: vec![triangle.clone()] };
        let two = of_polygons(&[holed, WalkablePolygon { outer: triangle, holes: vec![] }]);
        let ring = "(0 0, 4 0, 0 4, 0 0)";
        assert_eq!(two, format!("MULTIPOLYGON (({ring}, {ring}), ({ring}))"));
        assert_eq!(of_polygons(&[]), "MULTIPOLYGON EMPTY");
    }
}
