//! Random sequences of edits.

use wayfare::glam::Vec2;
use wayfare::registry::Behavior;
use wayfare_scene::edit::Draft;
use wayfare_scene::{BUNDLED, Format, Source};

use super::{LISTS, draft, other_values, world};

/// A linear congruential generator (Knuth).
struct RandomNumbers(u64);

impl RandomNumbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n.max(1)
    }
}

/// Groups that share lists, states and limits.
const TEMPLATES: &str = r#"
[template.person]
max_speed = 1.5
mass = 4
steer = [{ seek = { target = [9, 0] } }, { flee = { target = [3, 4] }, weight = 2.0 }]
state = [{ name = "walk" }, { name = "rest", steer = [{ stop = {} }] }]
[template.fast]
max_speed = 3
[[group]]
name = "walkers"
template = "person"
spawn = { points = [[0, 0]] }
[[group]]
name = "runners"
template = ["person", "fast"]
spawn = { points = [[5, 0]] }
[[group.state]]
name = "rest"
mass = 2
"#;

#[test]
fn after_any_sequence_of_edits_the_text_is_a_scene_and_equals_the_draft() {
    let mut random = RandomNumbers(7);
    let mut accepted = 0;
    let texts = BUNDLED
        .iter()
        .filter(|bundled| bundled.folder != "bench")
        .map(|bundled| bundled.text.to_string())
        .chain(LISTS.map(world))
        .chain([TEMPLATES.to_string()]);
    for text in texts {
        let mut draft = draft(&text);
        for _ in 0..25 {
            let before = draft.text().to_string();
            let (controls, lists) = (draft.controls(), draft.lists());
            let control = &controls[random.below(controls.len())];
            let list = &lists[random.below(lists.len())];
            let entry = list.key_path.at(random.below(list.entries.len() + 1));
            let behavior = Behavior::<Vec2>::LIST[random.below(Behavior::<Vec2>::LIST.len())].name;
            let values = other_values(control);
            let done = match random.below(9) {
                0 => draft.reset(&control.key_path),
                1 => draft.restore(&control.key_path),
                2 => draft.add(&list.key_path, random.below(4), behavior),
                3 => draft.remove(&entry),
                4 => draft.move_to(&entry, random.below(4)),
                5 => draft.set_enabled(&entry, random.below(2) == 0),
                _ if values.is_empty() => continue,
                _ => draft.set(&control.key_path, values[random.below(values.len())].clone()),
            };
            let source = Source { name: "draft".to_string(), text: draft.text().to_string() };
            match done {
                Ok(()) => {
                    accepted += 1;
                    let again = Draft::new(source, Format::Toml)
                        .unwrap_or_else(|problems| panic!("{problems:?}\n{}", draft.text()));
                    assert_eq!(format!("{:?}", again.scene()), format!("{:?}", draft.scene()));
                    assert_eq!(again.lists(), draft.lists());
                }
                Err(error) => assert_eq!(draft.text(), before, "{error}"),
            }
        }
    }
    assert!(accepted > 500, "only {accepted} edits were accepted");
}
