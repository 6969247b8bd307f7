//! The `preset` of a group: values for keys that the scene does not write.
//!
//! Decoding reads a copy of the document in which these keys are written, and the editor shows them
//! as defaults. Both follow the lists below.

use std::borrow::Cow;

use wayfare::crowd::{KeyPath, KeySegment};
use wayfare::solve::PedestrianPreset;

use super::inherited;
use crate::document::{Content, Entry, Format, Node, parse};

/// The solver that has a key `preset` of its own, which is supplied.
const SOLVER: &str = "pedestrian";
const PRESET: &str = "preset";
const BODIES: &str = "bodies";

/// The values that every preset supplies to its group, as TOML: the parameters of the solver were
/// fitted with them. Their mass, a reaction time, is the time `tau` in which the solver's velocity
/// follows: behaviors that slow down before a target reckon with the distance in which people stop.
const OF_GROUP: [(&str, &str); 3] =
    [("radius", "0.1756"), ("max_speed", "{ uniform = [1.14, 1.54] }"), ("mass", "0.1695")];
/// The values that every preset supplies to the scene's table `bodies`, as TOML.
const OF_BODIES: [(&str, &str); 3] =
    [("solid", "true"), ("iterations", "6"), ("relaxation", "1.5")];

/// The document with the keys that presets supply. Their spans are those of the `preset`.
pub(super) fn expanded(root: &Node) -> Cow<'_, Node> {
    let Some(first) = groups(root).iter().find_map(preset_of).cloned() else {
        return Cow::Borrowed(root);
    };
    let mut root = root.clone();
    for group in entry(&mut root, "group").map(items).unwrap_or_default() {
        let Some(preset) = preset_of(group).cloned() else { continue };
        supply(group, &OF_GROUP, &preset);
        // Another word is reported once, at the group.
        if !{ preset.node.text() }.is_some_and(|word| PedestrianPreset::WORDS.contains(&word)) {
            continue;
        }
        if let Some(list) = entry(group, "steer") {
            supply_to_solvers(list, &preset);
        }
        for state in entry(group, "state").map(items).unwrap_or_default() {
            if let Some(list) = entry(state, "steer") {
                supply_to_solvers(list, &preset);
            }
        }
    }
    if root.get(BODIES).is_none() {
        insert(&mut root, BODIES, Content::Table(Vec::new()), &first);
    }
    if let Some(bodies) = entry(&mut root, BODIES) {
        supply(bodies, &OF_BODIES, &first);
    }
    Cow::Owned(root)
}

/// The value, as TOML, that the key at `path` has by a preset if the scene does not write it.
pub(crate) fn supplied(root: &Node, path: &KeyPath) -> Option<String> {
    let value_of = |keys: &[(&str, &str)], name: &str| {
        keys.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_string())
    };
    match &path.0[..] {
        [KeySegment::Name(bodies), KeySegment::Name(key)] if bodies == BODIES => {
            (0..groups(root).len()).find_map(|index| preset_at(root, index))?;
            value_of(&OF_BODIES, key)
        }
        [KeySegment::Name(group), KeySegment::At(index), inner @ ..] if group == "group" => {
            let preset = preset_at(root, *index)?;
            match inner {
                [KeySegment::Name(key)] => value_of(&OF_GROUP, key),
                [.., KeySegment::Name(solver), KeySegment::Name(key)]
                    if solver == SOLVER && key == PRESET =>
                {
                    preset.text().map(|word| format!("\"{word}\""))
                }
                _ => None,
            }
        }
        _ => None,
    }
}

fn groups(root: &Node) -> &[Node] {
    root.get("group").and_then(Node::list).unwrap_or_default()
}

/// The preset of a group, or of its templates.
fn preset_at(root: &Node, index: usize) -> Option<&Node> {
    let own = preset_of(groups(root).get(index)?).map(|entry| &entry.node);
    own.or_else(|| inherited(root, &KeyPath::default().key("group").at(index).key(PRESET)))
}

fn preset_of(group: &Node) -> Option<&Entry> {
    group.table()?.iter().find(|entry| entry.key == PRESET)
}

fn entry<'n>(table: &'n mut Node, key: &str) -> Option<&'n mut Node> {
    let Content::Table(entries) = &mut table.content else { return None };
    entries.iter_mut().find(|entry| entry.key == key).map(|entry| &mut entry.node)
}

fn items(list: &mut Node) -> &mut [Node] {
    if let Content::List(items) = &mut list.content { items } else { &mut [] }
}

/// Adds those of `keys` that a table does not have.
fn supply(table: &mut Node, keys: &[(&str, &str)], preset: &Entry) {
    for (key, value) in keys {
        let value = parse(&format!("x = {value}"), Format::Toml).ok();
        if let Some(value) = value.as_ref().and_then(|root| root.get("x")) {
            insert(table, key, value.content.clone(), preset);
        }
    }
}

/// Adds a key to a table that does not have it.
fn insert(table: &mut Node, key: &str, content: Content, preset: &Entry) {
    if let Content::Table(entries) = &mut table.content
        && entries.iter().all(|entry| entry.key != key)
    {
        let node = Node { span: preset.node.span.clone(), content };
        entries.push(Entry { key: key.to_string(), span: preset.span.clone(), node });
    }
}

/// Adds the preset to the solver of a list; a list inside of another has none.
fn supply_to_solvers(list: &mut Node, preset: &Entry) {
    for item in items(list) {
        if let Some(solver) = entry(item, SOLVER) {
            insert(solver, PRESET, preset.node.content.clone(), preset);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::edit::{Draft, Value};
    use crate::{Format, Source, read};
    use wayfare::crowd::KeyPath;

    const REST: &str = "spawn = { points = [[0, 0], [1, 0]] }\n";

    fn source(text: &str) -> Source {
        Source { name: "scene".to_string(), text: text.to_string() }
    }

    fn decoded(text: &str) -> String {
        format!("{:?}", read(&source(text), Format::Toml).expect("the text is a scene"))
    }

    #[test]
    fn a_preset_supplies_what_is_not_written_and_nothing_else() {
        let people = |keys: &str, lists: &str| {
            decoded(&format!("[[group]]\nname = \"a\"\n{REST}{keys}\n{lists}"))
        };
        let lists = |preset: &str| {
            format!(
                "[[group.state]]\nname = \"b\"\nsteer = [{{ pedestrian = {{ sight = 3, {preset} }} \
                 }}]\n"
            )
        };
        let solid = "[bodies]\nsolid = true\n";
        let written = "radius = 0.1756\nmax_speed = { uniform = [1.14, 1.54] }\nmass = 0.1695\n";
        assert_eq!(
            people("preset = \"regulation\"", &lists("")),
            people(written, &(lists("preset = \"regulation\"") + solid))
        );
        // Explicit keys win.
        let own = "radius = 0.2\nmax_speed = 1\nmass = 0.5\n";
        let bodies = "[bodies]\nsolid = false\niterations = 9\n";
        let lists = lists("preset = \"experiment\", follow = 0.5") + bodies;
        let both = people(&format!("preset = \"regulation\"\n{own}"), &lists);
        assert_eq!(both, people(own, &lists));
    }

    #[test]
    fn two_groups_have_their_own_presets() {
        let group = |name: &str, key: &str, solver: &str| {
            format!(
                "[[group]]\nname = \"{name}\"\n{REST}{key}\n[[group.steer]]\npedestrian = \
                 {{ {solver} }}\n"
            )
        };
        let words = ["preset = \"experiment\"", "preset = \"regulation\""];
        let presets = group("a", words[0], "") + &group("b", words[1], "");
        let written = "radius = 0.1756\nmax_speed = { uniform = [1.14, 1.54] }\nmass = 0.1695";
        let explicit = group("a", written, words[0]) + &group("b", written, words[1]);
        assert_eq!(decoded(&presets), decoded(&(explicit + "[bodies]\nsolid = true\n")));
    }

    #[test]
    fn the_editor_shows_supplied_values_as_defaults() {
        let text = format!(
            "[bodies]\niterations = 9\n[[group]]\nname = \"a\"\n{REST}preset = \
             \"regulation\"\nmax_speed = 2\nsteer = [{{ pedestrian = {{}} }}]\n"
        );
        let mut draft = Draft::new(source(&text), Format::Toml).expect("the text is a scene");
        let path = |path: &str| KeyPath::read(path).expect("it is a path");
        let speed = path("group[0].max_speed");
        draft.reset(&speed).expect("the preset supplies it");
        for (key, value) in [
            ("group[0].max_speed", "{ uniform = [1.14, 1.54] }"),
            ("group[0].radius", "0.1756"),
            ("group[0].mass", "0.1695"),
            ("group[0].steer[0].pedestrian.preset", "\"regulation\""),
            ("bodies.solid", "true"),
        ] {
            let control = draft.control(&path(key)).expect("there is a control");
            assert_eq!((control.value, control.given), (Value::read(value), false), "{key}");
        }
        // Without the preset the speed is required again.
        assert!(draft.reset(&path("group[0].preset")).is_err());
        draft.set(&speed, 3.0).expect("it is a speed");
        draft.set(&path("group[0].radius"), 0.3).expect("it is a radius");
        draft.reset(&path("group[0].preset")).expect("nothing needs it");
        let solid = draft.control(&path("bodies.solid")).and_then(|control| control.value);
        assert_eq!(solid, Some(Value::Flag(false)));
    }
}
