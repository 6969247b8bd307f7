use wayfare::glam::vec2;

use super::*;

fn read(name: &str, text: &str) -> Result<Vec<Polygon>, Mistake> {
    polygons(name, text, DVec2::ZERO)
}

const SQUARE: &str = "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0), (2 2, 2 4, 4 4, 2 2))";

#[test]
fn both_formats_give_the_same_polygons_with_their_holes() {
    let json = r#"{ "type": "Polygon", "coordinates":
        [[[0, 0], [9, 0], [9, 9], [0, 9], [0, 0]], [[2, 2], [2, 4], [4, 4], [2, 2]]] }"#;
    let corners = |polygons: &[Polygon]| {
        let rings = polygons.iter().flat_map(|p| std::iter::once(&p.outer).chain(&p.holes));
        rings.map(|ring| ring.corners.clone()).collect::<Vec<_>>()
    };
    let of_wkt = corners(&read("a.wkt", SQUARE).unwrap());
    assert_eq!(of_wkt, corners(&read("a.GeoJSON", json).unwrap()));
    assert_eq!(of_wkt[0], [vec2(0.0, 0.0), vec2(9.0, 0.0), vec2(9.0, 9.0), vec2(0.0, 9.0)]);
    assert_eq!(of_wkt[1].len(), 3);
}

#[test]
fn collections_several_geometries_and_loose_notation_are_read() {
    let count = |name, text: &str| read(name, text).map(|polygons| polygons.len());
    assert_eq!(count("a.wkt", "multipolygon(((0 0,1 0,1 1,0 0)),((5 5,6 5,6 6,5 5)))"), Ok(2));
    assert_eq!(count("a.wkt", &format!("GEOMETRYCOLLECTION({SQUARE},{SQUARE})")), Ok(2));
    assert_eq!(count("a.wkt", &format!("\u{feff} SRID=25832; {SQUARE};\r\n{SQUARE}\n")), Ok(2));
    assert_eq!(count("a.wkt", "POLYGON((-1.5e1 +2, .5 2., 3 7,-15 2))"), Ok(1));
    let polygon = r#"{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}"#;
    let feature = format!(r#"{{"type":"Feature","properties":{{"a":[1]}},"geometry":{polygon}}}"#);
    let nowhere = r#"{"type":"Feature","properties":null,"geometry":null}"#;
    let all = format!(r#"{{"type":"FeatureCollection","features":[{feature},{nowhere}]}}"#);
    assert_eq!(count("a.json", &all), Ok(1));
    let all = format!(r#"{{"type":"GeometryCollection","geometries":[{polygon},{polygon}]}}"#);
    assert_eq!(count("a.json", &all), Ok(2));
    let several = r#"{"type":"MultiPolygon","coordinates":[[[[0,0],[1,0],[1,1],[0,0]]]]}"#;
    assert_eq!(count("a.json", several), Ok(1));
}

#[test]
fn the_origin_is_taken_away_before_corners_are_rounded() {
    let text = "POLYGON ((500000.11 4500000.22, 500009.13 4500000, 500009 4500009, \
                500000.11 4500000.22))";
    let far = polygons("a.wkt", text, DVec2::ZERO).unwrap()[0].outer.corners[0];
    assert_eq!(far.y, 4_500_000.0, "rounded to half a unit");
    let near = polygons("a.wkt", text, DVec2::new(5e5, 4.5e6)).unwrap();
    assert!((near[0].outer.corners[0] - vec2(0.11, 0.22)).length() < 1e-6);
}

/// The position and message of the mistake in a text.
fn mistake(name: &str, text: &str) -> (usize, String) {
    let mistake = read(name, text).unwrap_err();
    assert!(!mistake.allowed.is_empty());
    (mistake.at, mistake.message)
}

#[test]
fn each_mistake_names_its_position_and_value() {
    for (text, at, message) in [
        ("", 0, "the file has no polygon"),
        ("  \n ", 0, "the file has no polygon"),
        (
            "POLYGON ((0 0, 9 0, 9 9, 1 0))",
            25,
            "the ring begins at [0.0, 0.0] and ends at [1.0, 0.0]",
        ),
        ("POLYGON ((0 0, 9 0, 0 0))", 9, "the ring has 2 corners"),
        ("POLYGON ((0 0, 9 9, 9 0, 0 9, 0 0))", 9, "the polygon crosses itself"),
        ("POLYGON ((0 0, 9 0, 9 0, 0 0))", 9, "the polygon"),
        ("POLYGON ((0 0 1, 9 0 1))", 10, "the position has 3 coordinates"),
        ("POLYGON Z ((0 0 1, 9 0 1))", 8, "`POLYGON Z` has more than two coordinates"),
        ("POLYGON EMPTY", 8, "the POLYGON is empty"),
        ("POLYGON ((0 0, 9 x, 9 9, 0 0))", 17, "`x,` stands here"),
        ("POLYGON ((0 0, 9 inf, 9 9, 0 0))", 17, "`inf,` stands here"),
        ("POLYGON ((0 0, 9, 9 9, 0 0))", 15, "the position has 1 coordinates"),
        ("POLYGON ((0 0, 9 0", 18, "the text ends here"),
        ("POLYGON ((0 0, 9 0, 9 9, 0 0)", 29, "the text ends here"),
        ("POLYGON 0 0", 8, "`0` stands here"),
        ("LINESTRING (0 0, 9 9)", 0, "`LINESTRING` is no polygon"),
        ("PLOYGON ((0 0))", 0, "`PLOYGON` is no kind of geometry"),
        ("[1, 2]", 0, "`[1,` stands here"),
        ("POLYGON ((0 0, 4e9 0, 9 9, 0 0))", 15, "the corner [4000000000.0, 0.0] is out of range"),
        (
            "POLYGON ((0 0,9 0,9 9,0 0),(20 2,20 4,24 4,20 2))",
            27,
            "the hole lies outside its polygon",
        ),
    ] {
        let (found, said) = mistake("a.wkt", text);
        assert!(said.starts_with(message), "{text}: {said}");
        assert_eq!(found, at, "{text}: {said}");
    }
    for (text, at, message) in [
        ("", 0, ""),
        ("{", 0, ""),
        ("[]", 0, "an empty list has no `type`"),
        (r#"{"type": "Point", "coordinates": [1, 2]}"#, 9, "`Point` is no polygon"),
        (r#"{"type": 7}"#, 9, "`type` is the number 7"),
        (r#"{"type": "Polygon"}"#, 0, "the Polygon has no `coordinates`"),
        (r#"{"type": "Polygon", "coordinates": []}"#, 35, "the polygon has no ring"),
        (r#"{"type": "Polygon", "coordinates": [[]]}"#, 36, "the ring has no corners"),
        (
            r#"{"type": "Polygon", "coordinates": [[[1, 2, 3]]]}"#,
            37,
            "the position has 3 coordinates",
        ),
        (r#"{"type": "Polygon", "coordinates": [[[1, "2"]]]}"#, 41, "the coordinate is the text"),
        (r#"{"type": "FeatureCollection", "features": []}"#, 0, "the file has no polygon"),
    ] {
        let (found, said) = mistake("a.geojson", text);
        assert!(said.starts_with(message), "{text}: {said}");
        assert_eq!(found, at, "{text}: {said}");
    }
    assert_eq!(mistake("floor.dxf", SQUARE).1, "the kind of the file is not known");
}

#[test]
fn deep_collections_and_very_many_corners_are_refused() {
    let deep = "GEOMETRYCOLLECTION(".repeat(100_000);
    assert!(mistake("a.wkt", &deep).1.contains("nested deeper than 32"));
    let deep = r#"{"type":"GeometryCollection","geometries":["#.repeat(100_000);
    assert!(!mistake("a.json", &deep).1.is_empty());
    let mut text = String::from("POLYGON ((0 0");
    for i in 0..=MOST_CORNERS {
        text.push_str(&format!(", {i} 1"));
    }
    text.push_str(", 0 0))");
    assert!(mistake("a.wkt", &text).1.contains("corners"));
}
