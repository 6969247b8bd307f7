//! Questions that the page answers: by a measure of a run with the reader's settings, by its
//! digest, by a value of a drawing that the reader drags, or by a number that the reader types. The
//! runs are made here too: the stated answer has to be right, and the demo as it starts must not
//! be. Of a drawing a test in a browser tries both.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Deserialize;
use wayfare_demo::{Demo, STRIDE};

use crate::block::escaped;

/// The keys of a block `question`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    ask: String,
    /// What the page says when the answer is right.
    right: String,
    /// The number that is typed; a question without it is about a demo or a drawing of the page.
    answer: Option<f32>,
    /// Whether it is about the last drawing before it, whose term `of` is read.
    #[serde(default)]
    drawing: bool,
    /// The answer in a drawing: a handle and the place in the world where it is put, such as
    /// `"move 0 240 100"`; `theme/drawing.js` has the handles.
    #[serde(default)]
    put: Vec<String>,
    /// The smallest and the largest right number.
    #[serde(default = "lowest")]
    least: f32,
    #[serde(default = "highest")]
    most: f32,
    /// The scene of the demo.
    #[serde(default)]
    demo: String,
    /// What is measured after each tick; `value` has the list. Or `digest`.
    #[serde(default)]
    of: String,
    /// What of the values counts: `least`, `most` or `mean`.
    #[serde(default)]
    take: String,
    /// The first tick that counts, and the last one.
    #[serde(default)]
    from: u64,
    #[serde(default)]
    ticks: u64,
    /// The measure in words.
    #[serde(default)]
    text: String,
    /// The answer: key paths and their values.
    #[serde(default)]
    set: BTreeMap<String, f32>,
}

fn lowest() -> f32 {
    f32::NEG_INFINITY
}

fn highest() -> f32 {
    f32::INFINITY
}

/// The HTML of a question; `load` gives the name and the text of a demo's scene.
pub(crate) fn html(
    content: &str,
    load: impl Fn(&str) -> Result<(String, String), String>,
) -> Result<String, String> {
    let question: Question = toml::from_str(content).map_err(|error| error.to_string())?;
    let Question { ask, right, least, most, of, take, from, ticks, text, .. } = &question;
    let mut data = format!("data-least=\"{least}\" data-most=\"{most}\"");
    let mut ask = escaped(ask);
    let id = if question.drawing { "question-drawing" } else { "question" };
    let input = match question.answer {
        None if question.drawing => {
            if let Some(put) = question.put.iter().find(|put| !is_place(put)) {
                return Err(format!("put = `{put}`; allowed: `move ID X Y`, `turn ID X Y`, …"));
            }
            let _ = write!(
                data,
                " data-drawing=\"true\" data-of=\"{of}\" data-text=\"{}\" data-put=\"{}\" \
                 data-set=\"{}\"",
                escaped(text),
                escaped(&question.put.join(", ")),
                escaped(&question.pairs())
            );
            ""
        }
        Some(answer) if question.is_right(answer) => {
            let _ = write!(data, " data-answer=\"{answer}\"");
            "<label>Your answer <input type=\"number\" step=\"any\" required></label>"
        }
        Some(answer) => return Err(format!("the answer {answer} is not right")),
        None => {
            let (name, scene) = load(&question.demo)?;
            let (start, first) = question.run(&scene, &BTreeMap::new())?;
            let (found, digest) = question.run(&scene, &question.set)?;
            let (is_right, was_right) = match of == "digest" {
                true => (true, first == digest),
                false => (question.is_right(found), question.is_right(start)),
            };
            if was_right || !is_right {
                return Err(format!("the start has {start}, the answer {found}"));
            }
            let _ = write!(
                data,
                " data-demo=\"{name}\" data-of=\"{of}\" data-take=\"{take}\" data-from=\"{from}\" \
                 data-ticks=\"{ticks}\" data-text=\"{}\" data-set=\"{}\" data-found=\"{found}\"",
                escaped(text),
                escaped(&question.pairs())
            );
            if of == "digest" {
                let _ = write!(data, " data-digest=\"{digest}\"");
                ask = ask.replace("{digest}", &format!("<code>{digest}</code>"));
            }
            let _ = write!(ask, " It is about <a href=\"#demo-{name}\">this demo</a>.");
            ""
        }
    };
    Ok(format!(
        "<form class=\"question\" id=\"{id}\" {data} data-right=\"{}\">\n\
         <p><strong>Question.</strong> {ask}</p>\n\
         {input}<button>Check</button>\n<output role=\"status\"></output>\n</form>\n",
        escaped(right),
    ))
}

/// Whether this is a handle of a drawing, the id of its agent, and a place.
fn is_place(put: &str) -> bool {
    let (what, numbers) = put.split_once(' ').unwrap_or((put, ""));
    let numbers: Vec<_> = numbers.split(' ').map(str::parse::<f32>).collect();
    ["move", "turn", "pointer", "face", "rim"].contains(&what)
        && numbers.len() == 3
        && numbers.iter().all(Result::is_ok)
}

impl Question {
    /// The settings of the answer, as the page has them.
    fn pairs(&self) -> String {
        let pairs = self.set.iter().map(|(key, value)| format!("{key}={value}"));
        pairs.collect::<Vec<_>>().join(" ")
    }

    fn is_right(&self, value: f32) -> bool {
        (self.least..=self.most).contains(&value)
    }

    /// The measure of a run with these settings, and its digest.
    fn run(&self, scene: &str, set: &BTreeMap<String, f32>) -> Result<(f32, String), String> {
        let mut demo = Demo::new("the question", scene)?;
        for (key, value) in set {
            demo.set(key, *value)?;
        }
        let (mut values, mut before) = (Vec::new(), demo.agents());
        for tick in 1..=self.ticks {
            demo.step();
            let now = demo.agents();
            if tick >= self.from && self.of != "digest" {
                values.push(value(&self.of, &demo, &now, &before)?);
            }
            before = now;
        }
        let taken = match self.take.as_str() {
            "least" => values.iter().copied().fold(f32::INFINITY, f32::min),
            "most" => values.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            "mean" => values.iter().sum::<f32>() / values.len() as f32,
            _ if self.of == "digest" => 0.0,
            other => return Err(format!("take = `{other}`; allowed: `least`, `most`, `mean`")),
        };
        Ok((taken, demo.digest()))
    }
}

/// A measure of the agents after a tick; `theme/question.js` has the same list:
///   distance A B             from an agent to another one, or to `pointer`
///   speed A                  the way of an agent in the tick
///   inside G                 how many members of a group have their center inside a circle
///   count G X Y X Y          how many members of a group are inside a box
///   gap G                    the mean distance from a member of a group to its nearest one
fn value(of: &str, demo: &Demo, now: &[f32], before: &[f32]) -> Result<f32, String> {
    let (kind, rest) = of.split_once(' ').unwrap_or((of, ""));
    let words: Vec<&str> = rest.split(' ').collect();
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<f32>().ok());
    let missing = || format!("`{of}` is no measure of this scene");
    let place = |agents: &[f32], at: usize| {
        if words.get(at) == Some(&"pointer") {
            return demo.pointer().map(|point| (point.x, point.y));
        }
        let id = number(at)?;
        agents.chunks(STRIDE).find(|row| row[0] == id).map(|row| (row[1], row[2]))
    };
    let far = |(x, y): (f32, f32), (a, b): (f32, f32)| (x - a).hypot(y - b);
    let group = number(0).ok_or_else(missing)?;
    let members: Vec<(f32, f32)> =
        now.chunks(STRIDE).filter(|row| row[6] == group).map(|row| (row[1], row[2])).collect();
    let count = |inside: &dyn Fn(&(f32, f32)) -> bool| {
        members.iter().filter(|at| inside(at)).count() as f32
    };
    match kind {
        "distance" => place(now, 0).zip(place(now, 1)).map(|(a, b)| far(a, b)),
        "speed" => place(now, 0).zip(place(before, 0)).map(|(a, b)| far(a, b)),
        "inside" => {
            let world = demo.world();
            let circles = world["obstacles"].as_array().into_iter().flatten();
            let circles = circles.filter_map(|one| {
                let (x, y) = (one["circle"][0].as_f64()?, one["circle"][1].as_f64()?);
                Some(((x as f32, y as f32), one["radius"].as_f64()? as f32))
            });
            let circles: Vec<_> = circles.collect();
            Some(count(&|at| circles.iter().any(|(c, radius)| far(*at, *c) < *radius)))
        }
        "count" => (1..5).map(number).collect::<Option<Vec<f32>>>().map(|side| {
            count(&|(x, y)| (side[0]..=side[2]).contains(x) && (side[1]..=side[3]).contains(y))
        }),
        "gap" => {
            let nearest = members.iter().map(|at| {
                let others = members.iter().map(|other| far(*at, *other)).filter(|far| *far > 0.0);
                others.fold(f32::INFINITY, f32::min)
            });
            Some(nearest.sum::<f32>() / members.len() as f32)
        }
        _ => None,
    }
    .ok_or_else(missing)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "
        obstacle = [{ circle = { center = [50, 0], radius = 9 } }]
        [pointer]
        track = [[0, 50, 40]]
        [[group]]
        name = 'walker'
        spawn = { points = [[0, 0], [3, 4]] }
        velocity = [2, 0]
        max_speed = 2";

    fn asked(text: &str) -> Result<String, String> {
        let text = format!("ask = 'a'\nright = 'b'\n{text}");
        html(&text, |name| Ok((name.to_string(), SCENE.to_string())))
    }

    #[test]
    fn a_question_is_refused_unless_its_answer_is_right_and_its_start_is_not() {
        let moving = "demo = 'd'\nof = 'speed 0'\ntake = 'mean'\nticks = 5\n";
        let slow = "set = { 'group[0].max_speed' = 1 }\n";
        let found = asked(&format!("{moving}most = 1.5\n{slow}")).expect("the answer is right");
        assert!(
            found.contains("data-found=\"1\"") && found.contains("href=\"#demo-d\""),
            "{found}"
        );
        assert!(asked(&format!("{moving}most = 2.5\n{slow}")).is_err(), "the start is right");
        assert!(asked(&format!("{moving}most = 0.5\n{slow}")).is_err(), "the answer is wrong");
        let same = "demo = 'd'\nof = 'digest'\nticks = 5\nset = { 'group[0].max_speed' = 2 }";
        assert!(asked(same).is_err(), "the digest is that of the start");
        assert!(asked("answer = 3\nleast = 2\nmost = 4").is_ok());
        assert!(asked("answer = 5\nleast = 2\nmost = 4").is_err());
    }

    #[test]
    fn a_question_about_a_drawing_has_the_places_of_its_answer() {
        let drawing = "drawing = true\nof = 'force'\nmost = 1\n";
        let put = "put = ['move 0 240 100', 'turn 1 2 -3.5']\nset = { 'group[0].mass' = 2 }";
        let found = asked(&format!("{drawing}{put}")).expect("the places are valid");
        for part in ["id=\"question-drawing\"", "move 0 240 100, turn 1 2 -3.5", "[0].mass=2\""] {
            assert!(found.contains(part), "{found}");
        }
        for wrong in ["move 0 240", "push 0 1 2", "move 0 a 1"] {
            assert!(asked(&format!("{drawing}put = ['{wrong}']")).is_err(), "{wrong}");
        }
    }

    #[test]
    fn measures_are_those_of_the_agents_after_a_tick() {
        let mut demo = Demo::new("the scene", SCENE).expect("it is valid");
        let before = demo.agents();
        (0..25).for_each(|_| demo.step());
        let now = demo.agents();
        let measure = |of: &str| value(of, &demo, &now, &before);
        assert_eq!(measure("distance 0 1"), Ok(5.0));
        assert_eq!(measure("distance 0 pointer"), Ok(40.0));
        assert_eq!(measure("speed 0"), Ok(50.0));
        assert_eq!(measure("inside 0"), Ok(2.0));
        assert_eq!(measure("count 0 40 -1 60 1"), Ok(1.0));
        assert_eq!(measure("gap 0"), Ok(5.0));
        assert!(measure("distance 0 7").is_err() && measure("luck 0").is_err());
    }
}
