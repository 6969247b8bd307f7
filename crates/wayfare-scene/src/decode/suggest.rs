//! Suggestions for unknown words: a similar word, a synonym, or the table that a key belongs to.

use wayfare::glam::Vec2;
use wayfare::parameter::Description;
use wayfare::registry::{Behavior, SLOT_KEYS};

use crate::format::{
    BOX, CIRCLE, FIRE, GROUP, PATH, SCENE, SEGMENT, STATE, STEER_ENTRY, ValueKind,
};

/// From this similarity on, a word is taken as a misspelling.
pub(super) const SURE: f64 = 0.8;
/// From this similarity on, a word is suggested.
pub(crate) const LIKELY: f64 = 0.5;

/// Words that other engines and papers use, and the scene's words for them; those for behaviors are
/// the aliases of their descriptions.
const SYNONYMS: &[(&str, &str)] = &[
    ("above", "at_least"),
    ("agent", "group"),
    ("agents", "group"),
    ("amount", "count"),
    ("area", "spawn"),
    ("ball", "circle"),
    ("behavior", "steer"),
    ("behaviors", "steer"),
    ("behaviour", "steer"),
    ("behaviours", "steer"),
    ("below", "at_most"),
    ("clamp", "wall"),
    ("click", "fire"),
    ("closed", "wall"),
    ("condition", "when"),
    ("cube", "box"),
    ("disabled", "off"),
    ("disc", "circle"),
    ("distance", "beyond"),
    ("distance", "radius"),
    ("distance", "within"),
    ("emitter", "source"),
    ("enabled", "off"),
    ("end", "to"),
    ("enemies", "targets"),
    ("flow_field", "field"),
    ("force", "max_force"),
    ("goal", "target"),
    ("goto", "to"),
    ("if", "when"),
    ("initial", "start"),
    ("limit", "most"),
    ("line", "segment"),
    ("loop", "closed"),
    ("mirror", "bounce"),
    ("mouse", "pointer"),
    ("n", "count"),
    ("next", "to"),
    ("nodes", "points"),
    ("none", "open"),
    ("number", "count"),
    ("perception", "sight"),
    ("periodic", "wrap"),
    ("pos", "center"),
    ("pos", "spawn"),
    ("position", "center"),
    ("position", "points"),
    ("position", "spawn"),
    ("positions", "points"),
    ("positions", "spawn"),
    ("predator", "threat"),
    ("prey", "quarry"),
    ("projectiles", "bullets"),
    ("quarry", "target"),
    ("r", "radius"),
    ("radius", "panic_radius"),
    ("radius", "slowing_radius"),
    ("range", "radius"),
    ("range", "within"),
    ("rebound", "bounce"),
    ("rect", "box"),
    ("rectangle", "box"),
    ("reflect", "bounce"),
    ("repeat", "loop"),
    ("reverse", "patrol"),
    ("rotation", "angle"),
    ("shoot", "fire"),
    ("speed", "max_speed"),
    ("sphere", "circle"),
    ("spline", "catmull_rom"),
    ("start", "from"),
    ("steering", "steer"),
    ("steps", "duration"),
    ("stop", "arrive"),
    ("strength", "max_avoid_force"),
    ("strength", "max_force"),
    ("target", "leader"),
    ("target", "quarry"),
    ("target", "threat"),
    ("threat", "target"),
    ("ticks", "duration"),
    ("time", "duration"),
    ("time", "time_in_state"),
    ("time_step", "dt"),
    ("timestep", "dt"),
    ("torus", "wrap"),
    ("transitions", "leave"),
    ("value", "start"),
    ("wall", "segment"),
    ("waypoints", "points"),
    ("weighted", "sum"),
    ("width", "radius"),
    ("width", "thickness"),
    ("world", "bounds"),
];

/// Keys of a group that are written inside its behaviors by mistake.
const LIMITS: [&str; 7] =
    ["mass", "max_speed", "min_speed", "max_force", "drag", "turn_rate", "turning_radius"];

fn has_alias(behavior: &Description, word: &str) -> bool {
    behavior.aliases.iter().any(|alias| alias.replace(' ', "_") == word)
}

/// The word of `known` that was likely meant: the most similar one, from `least_similarity` on, or
/// a synonym.
pub(crate) fn nearest<'k>(word: &str, known: &[&'k str], least_similarity: f64) -> Option<&'k str> {
    let word = word.to_lowercase();
    let similarity =
        |candidate: &str| strsim::normalized_damerau_levenshtein(&word, &candidate.to_lowercase());
    let nearest = known
        .iter()
        .map(|candidate| (similarity(candidate), *candidate))
        .max_by(|a, b| a.0.total_cmp(&b.0));
    let synonym = || {
        SYNONYMS
            .iter()
            .filter(|(other, _)| *other == word)
            .map(|(_, ours)| *ours)
            .chain(Behavior::<Vec2>::LIST.iter().filter(|b| has_alias(b, &word)).map(|b| b.name))
            .find_map(|ours| known.iter().find(|name| **name == ours))
            .copied()
    };
    match nearest {
        Some((similarity, candidate)) if similarity >= SURE => Some(candidate),
        nearest => synonym().or_else(|| {
            nearest
                .filter(|(similarity, _)| *similarity >= least_similarity)
                .map(|(_, candidate)| candidate)
        }),
    }
}

/// A question whether `candidate` was meant by `word`. For letters of other alphabets that look the
/// same it names the letter.
pub(super) fn did_you_mean(word: &str, candidate: &str) -> String {
    let non_ascii =
        |text: &str, other: &str| text.chars().find(|c| !c.is_ascii() && !other.contains(*c));
    let letter = non_ascii(candidate, word)
        .map(|c| (c, candidate))
        .or_else(|| non_ascii(word, candidate).map(|c| (c, word)));
    match letter {
        Some((c, text)) if word.chars().count() == candidate.chars().count() => {
            format!(
                "did you mean `{candidate}`? The letter `{c}` in `{text}` is U+{:04X}, which only \
                 looks like another",
                u32::from(c)
            )
        }
        _ => format!("did you mean `{candidate}`?"),
    }
}

/// The help for a key that is unknown in the table `table_name`: the table that it belongs to.
pub(super) fn help_for_misplaced_key(table_name: &str, key: &str) -> Option<String> {
    let behavior =
        |name: &str| Behavior::<Vec2>::LIST.iter().find(|behavior| behavior.name == name);
    let to_group = || {
        format!(
            "`{key}` belongs to the group: under its [[group]], before the first [[group.steer]]"
        )
    };
    let in_shape = |name: &str, example: &str| {
        Some(format!("the shape's name is the key: {name} = {example}"))
    };
    if behavior(table_name).is_some() && SLOT_KEYS.contains(&key) {
        let is_flag = STEER_ENTRY.key(key).is_some_and(|key| matches!(key.kind, ValueKind::Flag));
        let value = if is_flag { "true" } else { "1" };
        return Some(format!(
            "`{key}` stands beside the behavior: steer = [{{ {table_name} = {{ … }}, {key} = \
             {value} }}]"
        ));
    }
    if table_name == "steer" {
        if ["behavior", "behaviour", "type", "kind", "name"].contains(&key) {
            return Some(
                "the behavior's name is the key: seek = { target = [100, 50] }".to_string(),
            );
        }
        // Groups first: `mass` and `max_speed` are more often a group's than a behavior's.
        if GROUP.key(key).is_some() && key != "radius" {
            return Some(to_group());
        }
        if let Some(other) = Behavior::<Vec2>::LIST
            .iter()
            .find(|behavior| behavior.parameters.iter().any(|p| p.name == key))
        {
            return Some(format!(
                "`{key}` stands inside a behavior: {} = {{ {key} = … }}",
                other.name
            ));
        }
    }
    if behavior(table_name).is_some() || table_name == "steer" {
        if LIMITS.contains(&key) {
            return Some(to_group());
        }
        if let Some(limit) = nearest(key, &LIMITS, SURE) {
            return Some(format!(
                "did you mean `{limit}`, a key of the group? It stands under its [[group]], \
                 before the first [[group.steer]]"
            ));
        }
    }
    if ["bounds", "box"].contains(&table_name)
        && ["x", "y", "w", "h", "width", "height"].contains(&key)
    {
        return Some("give two corners: min = [0, 0], max = [640, 480]".to_string());
    }
    if ["group", "scene", "state"].contains(&table_name) && behavior(key).is_some() {
        return Some(format!(
            "`{key}` is a behavior: steer = [{{ {key} = {{ … }} }}], or under [[group.steer]]"
        ));
    }
    if ["obstacle", "exit", "source", "spawn", "area", "respawn"].contains(&table_name) {
        if ["type", "kind", "shape"].contains(&key) || CIRCLE.key(key).is_some() {
            return in_shape("circle", CIRCLE.example);
        }
        if BOX.key(key).is_some() {
            return in_shape("box", "{ min = [0, 0], max = [10, 10] }");
        }
        if SEGMENT.key(key).is_some() && !["source", "spawn"].contains(&table_name) {
            return in_shape("segment", SEGMENT.example);
        }
    }
    if table_name == "group" && STATE.key(key).is_some() {
        return Some(format!("`{key}` belongs to a state: under [[group.state]]"));
    }
    if ["group", "state"].contains(&table_name) && STEER_ENTRY.key(key).is_some() {
        return Some(format!("`{key}` stands beside a behavior, under [[group.steer]]"));
    }
    if table_name == "scene" && FIRE.key(key).is_some() {
        return Some(format!("`{key}` belongs under [fire]"));
    }
    if table_name == "scene" && GROUP.key(key).is_some() {
        return Some(format!("`{key}` belongs to a group: under [[group]]"));
    }
    if table_name == "scene" && (PATH.key(key).is_some() || BOX.key(key).is_some()) {
        return None;
    }
    if table_name != "scene" && SCENE.key(key).is_some() {
        return Some(format!(
            "`{key}` belongs to the top of the file, before the first table in brackets"
        ));
    }
    None
}
