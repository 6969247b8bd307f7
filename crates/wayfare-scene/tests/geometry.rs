//! Walls, obstacles and bounds from files beside a scene.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::path::{Path, PathBuf};

use wayfare::Crowd;
use wayfare::geometry::obstacle::Shape;
use wayfare::glam::{Vec2, vec2};
use wayfare::spatial::space::Edge;
use wayfare_scene::edit::Draft;
use wayfare_scene::{
    AnyScene, Files, Format, Problem, Scene, Severity, Source, hints_beside, read, read_beside,
};

/// The folder of the files of these tests.
fn files() -> Files {
    Files::beside(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/geometry/scene.toml"))
}

fn source(text: &str) -> Source {
    const GROUP: &str = "\n[[group]]\nname = \"people\"\nspawn = { points = [[1, 1]] }\n\
                         max_speed = 1.3\nradius = 0.3\n";
    Source { name: "scene.toml".to_string(), text: format!("{text}{GROUP}") }
}

fn scene(text: &str) -> Result<Scene<Vec2>, Vec<Problem>> {
    match read_beside(&source(text), Format::Toml, &files())? {
        AnyScene::TwoD(scene) => Ok(scene),
        AnyScene::ThreeD(_) => panic!("it is a scene of the plane"),
    }
}

#[test]
fn a_walkable_area_becomes_walls_bounds_and_obstacles_after_those_of_the_scene() {
    let text = "geometry = { walkable = \"floor.wkt\" }\n\
                obstacle = [{ circle = { center = [9, 9], radius = 0.5 } }]";
    let setup = scene(text).unwrap().setup;
    let bounds = setup.bounds.unwrap();
    let (min, max) = (vec2(0.0, 0.0), vec2(12.0, 10.0));
    assert_eq!((bounds.min, bounds.max, bounds.edge), (min, max, Edge::Wall));
    assert!(matches!(setup.obstacles[0], Shape::Circle { .. }));
    let walls = setup.obstacles.iter().filter(|shape| matches!(shape, Shape::Segment { .. }));
    assert_eq!(walls.count(), 6);
    let Shape::Polygon { points } = &setup.obstacles[7] else { panic!("a hole is a polygon") };
    assert_eq!(points.len(), 4);
    assert_eq!(setup.obstacles.len(), 8);
    // Bounds of the scene stay as they are.
    let own = format!("bounds = {{ min = [-5, -5], max = [20, 20] }}\n{text}");
    assert_eq!(scene(&own).unwrap().setup.bounds.unwrap().edge, Edge::Open);
    // The same floor as GeoJSON, and from far away by its origin.
    let same = |walkable: &str| {
        let text = format!("geometry = {{ walkable = {walkable} }}");
        scene(&text).unwrap().setup.obstacles
    };
    assert_eq!(same("\"floor.geojson\""), same("\"floor.wkt\""));
    assert_eq!(same("\"far.wkt\", origin = [500000, 4500000]"), same("\"floor.wkt\""));
}

#[test]
fn a_file_of_obstacles_adds_each_polygon() {
    let setup = scene("geometry = { obstacles = \"pillars.geojson\" }").unwrap().setup;
    assert_eq!((setup.obstacles.len(), setup.bounds), (2, None));
    let both = "geometry = { walkable = \"floor.wkt\", obstacles = \"pillars.geojson\" }";
    assert_eq!(scene(both).unwrap().setup.obstacles.len(), 9);
}

#[test]
fn people_of_a_walkable_area_walk_round_its_hole_and_never_leave_it() {
    let text = "dt = 0.1\nbodies = { solid = true }\ngeometry = { walkable = \"floor.wkt\" }\n\
                [[group]]\nname = \"walkers\"\ncount = 12\nradius = 0.25\nmax_speed = 1.3\n\
                spawn = { box = { min = [1, 1], max = [4, 5] }, apart = true }\n\
                steer = [{ navigate = { target = [7.5, 8.5] } }]\n";
    let mut crowd = Crowd::new(scene(text).unwrap().setup).unwrap();
    let hole = crowd.obstacles()[6].clone();
    for _ in 0..300 {
        crowd.step();
        for (_, agent) in crowd.agents() {
            let p = agent.position;
            assert!(p.x > 0.0 && p.x < 12.0 && p.y > 0.0 && p.y < 10.0, "{p}");
            assert!(p.x < 8.0 || p.y < 6.0, "{p} is outside the L");
            assert!(hole.distance(p) > 0.0, "{p} is in the hole");
        }
    }
    let there = |p: Vec2| p.distance(vec2(7.5, 8.5)) < 3.0;
    let walkers = crowd.agents().filter(|(id, _)| id.0 > 0);
    assert!(walkers.filter(|(_, agent)| there(agent.position)).count() >= 10);
}

#[test]
fn the_fingerprint_of_a_scene_covers_the_geometry_that_was_read() {
    let crowd = |file: &str| {
        let text = format!("geometry = {{ walkable = \"{file}\" }}");
        Crowd::new(scene(&text).unwrap().setup).unwrap()
    };
    let snapshot = crowd("floor.wkt").snapshot();
    crowd("floor.geojson").restore(&snapshot).unwrap();
    let mut text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/geometry/floor.wkt"),
    )
    .unwrap();
    text = text.replacen("12 0", "13 0", 1);
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    std::fs::write(folder.join("changed.wkt"), text).unwrap();
    let source = source("geometry = { walkable = \"changed.wkt\" }");
    let files = Files::beside(&folder.join("scene.toml"));
    let Ok(AnyScene::TwoD(scene)) = read_beside(&source, Format::Toml, &files) else {
        panic!("the changed floor is read")
    };
    let error = Crowd::new(scene.setup).unwrap().restore(&snapshot).unwrap_err();
    assert!(error.to_string().contains("another setup"), "{error}");
}

#[test]
fn each_mistake_names_the_file_its_position_and_what_is_allowed() {
    let mut text = String::new();
    let mut add = |source: &Source, problems: &[Problem]| {
        text += &source.render(Severity::Error, problems, false);
        // The folder of the tests differs.
        text = text.replace(&format!("{}/", env!("CARGO_MANIFEST_DIR")), "");
    };
    for geometry in [
        "{ walkable = \"unclosed.wkt\" }",
        "{ walkable = \"crossing.wkt\" }",
        "{ walkable = \"heights.geojson\" }",
        "{ walkable = \"empty.wkt\" }",
        "{ walkable = \"scene.toml\" }",
        "{ obstacles = \"floor.wkt\" }",
        "{ origin = [0, 0] }",
        "{ walkable = 3, origin = 5 }",
        "{ wlakable = \"floor.wkt\" }",
        "\"floor.wkt\"",
    ] {
        let source = source(&format!("geometry = {geometry}"));
        let problems = read_beside(&source, Format::Toml, &files()).unwrap_err();
        add(&source, &problems);
    }
    let beside = source("geometry = { walkable = \"floor.wkt\" }");
    add(&beside, &read(&beside, Format::Toml).unwrap_err());
    let space = "dimension = 3\ngeometry = { walkable = \"floor.wkt\" }\n[[group]]\nname = \"a\"\n\
                 spawn = { points = [[0, 0, 0]] }\nmax_speed = 1\n";
    let space = Source { name: "space.toml".to_string(), text: space.to_string() };
    add(&space, &read_beside(&space, Format::Toml, &files()).unwrap_err());
    // The end of this message is the system's.
    let missing = source("geometry = { walkable = \"missing.wkt\" }");
    let problems = read_beside(&missing, Format::Toml, &files()).unwrap_err();
    assert!(problems[0].message.contains("missing.wkt: "), "{problems:?}");
    insta::with_settings!({
        prepend_module_to_snapshot => false,
        snapshot_path => "geometry",
        omit_expression => true
    }, {
        insta::assert_snapshot!("mistakes", text);
    });
}

#[test]
fn coordinates_far_from_zero_are_hinted_at_with_an_origin_that_helps() {
    let hints = |geometry: &str| {
        let source = source(&format!("geometry = {geometry}"));
        let found = hints_beside(&source, Format::Toml, &files());
        source.render(Severity::Hint, &found, false)
    };
    let far = hints("{ walkable = \"far.wkt\" }");
    assert!(far.contains("rounded to 0.5") && far.contains("origin = [500000, 4500000]"), "{far}");
    let near = hints("{ walkable = \"far.wkt\", origin = [500000, 4500000] }");
    assert!(!near.contains("rounded"), "{near}");
    // Routes cannot be planned there at all.
    let routes = "geometry = { walkable = \"far.wkt\" }\n[[group]]\nname = \"walkers\"\n\
                radius = 0.1\nspawn = { points = [[0, 0]] }\nmax_speed = 1\n\
                steer = [{ navigate = { target = [1, 1] } }]\n";
    let problems = scene(routes).unwrap_err();
    assert!(problems[0].help.as_deref().is_some_and(|help| help.contains("`origin`")));
}

#[test]
fn an_edit_of_a_scene_keeps_the_geometry_of_its_files() {
    let text = source("geometry = { walkable = \"floor.wkt\" }");
    assert!(Draft::new(text.clone(), Format::Toml).is_err());
    let mut draft = Draft::beside(text, Format::Toml, files()).unwrap();
    draft.set_text(draft.text().replace("1.3", "1.5")).unwrap();
    let AnyScene::TwoD(scene) = draft.scene() else { panic!("it is a scene of the plane") };
    assert_eq!(scene.setup.obstacles.len(), 7);
}
