//! Changes of single agents: logged, undone, replayed.

use wayfare::crowd::Limit;
use wayfare::glam::{Vec2, vec2};
use wayfare::{AgentId, Crowd};
use wayfare_scene::{AnyScene, Format, Source, read, read_log};

use crate::session::agent_settings::AgentEdit;
use crate::session::open::open;
use crate::session::traits::Session;

const UNITS: &str = "[[group]]\nname = \"units\"\nspawn = { points = [[0, 0], [0, 50]] }\n\
                     max_speed = 2\nspeed_cap = 5\nturn_rate = 90\nsteer = [{ seek = { target = \
                     [300, 0] } }]\n[group.stat.stamina]\nstart = 8\nmin = 0\nmax = 9\n\
                     [[group.state]]\nname = \"calm\"\n[[group.state]]\nname = \"hurry\"\n\
                     max_speed = 4\n[[group]]\nname = \"others\"\nspawn = { points = [[90, 90]] \
                     }\nmax_speed = 3\n";
const UNIT: AgentId = AgentId(0);

fn units() -> Box<dyn Session> {
    open("units.toml", UNITS, Format::Toml).unwrap()
}

/// Each kind of change, with its line in the log.
fn edits() -> Vec<(AgentEdit, &'static str)> {
    vec![
        (AgentEdit::Order(Some(vec2(90.0, 0.0))), "\"order\": [90.0, 0.0]"),
        (AgentEdit::Limit(Limit::MaxSpeed, Some(4.5)), "\"max_speed\": 4.5"),
        (AgentEdit::Limit(Limit::MaxForce, Some(0.5)), "\"max_force\": 0.5"),
        (AgentEdit::Limit(Limit::Mass, Some(3.0)), "\"mass\": 3.0"),
        (AgentEdit::Limit(Limit::Radius, Some(7.0)), "\"radius\": 7.0"),
        (AgentEdit::State("hurry".to_string()), "\"state\": \"hurry\""),
        (AgentEdit::Stat("stamina".to_string(), 1.0), "\"stat\": \"stamina\", \"value\": 1.0"),
        (AgentEdit::Group("others".to_string()), "\"group\": \"others\""),
        (AgentEdit::Frozen(true), "\"frozen\": true"),
        (AgentEdit::Facing(90.0), "\"facing\": ["),
    ]
}

/// The digest of a bare crowd after this log.
fn replayed(log: String, ticks: u64) -> u64 {
    let scene = Source { name: "units".to_string(), text: UNITS.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&scene, Format::Toml) else {
        panic!("a scene in the plane")
    };
    let mut crowd = Crowd::<Vec2>::new(scene.setup).unwrap();
    let mut log = read_log(&Source { name: "log".to_string(), text: log }, 1.0).unwrap();
    for _ in 0..ticks {
        log.apply(&mut crowd).unwrap();
        crowd.step();
    }
    log.apply(&mut crowd).unwrap();
    crowd.digest()
}

#[test]
fn every_setting_of_an_agent_is_logged_and_replays_to_the_same_digest() {
    for (edit, line) in edits() {
        let mut session = units();
        session.step(None);
        let before = session.agent_settings(UNIT).unwrap();
        session.change_agent(UNIT, &edit, true).unwrap();
        assert_ne!(session.agent_settings(UNIT).unwrap(), before, "{edit:?}");
        assert!(session.log().contains(line), "{line} is not in {}", session.log());
        (0..20).for_each(|_| session.step(None));
        assert_eq!(replayed(session.log(), 21), session.digest(), "{edit:?}");
    }
}

#[test]
fn undo_gives_an_agent_its_earlier_settings_and_replays_to_the_same_digest() {
    for (edit, _) in edits() {
        let mut session = units();
        let first = AgentEdit::Limit(Limit::Mass, Some(2.0));
        for edit in [&first, &AgentEdit::State("hurry".to_string())] {
            session.change_agent(UNIT, edit, true).unwrap();
        }
        session.change_agent(UNIT, &AgentEdit::Stat("stamina".to_string(), 5.0), true).unwrap();
        session.change_agent(UNIT, &AgentEdit::Facing(30.0), true).unwrap();
        let before = session.agent_settings(UNIT).unwrap();
        assert!(before.limits.iter().any(|limit| limit.is_own && limit.value == 2.0));
        session.change_agent(UNIT, &edit, true).unwrap();
        session.undo();
        assert_eq!(session.agent_settings(UNIT).unwrap(), before, "{edit:?}");
        (0..5).for_each(|_| session.step(None));
        assert_eq!(replayed(session.log(), 5), session.digest(), "{edit:?}");
    }
}

#[test]
fn a_refused_setting_of_an_agent_gives_its_message_and_changes_nothing() {
    let mut session = units();
    let before = (session.digest(), session.agent_settings(UNIT));
    let cases = [
        (AgentEdit::Limit(Limit::MaxSpeed, Some(5.5)), "`speed_cap` of group \"units\""),
        (AgentEdit::Limit(Limit::Mass, Some(0.0)), "above 0"),
        (AgentEdit::Stat("stamina".to_string(), 9.5), "from 0 to 9"),
        (AgentEdit::State("asleep".to_string()), "\"calm\""),
        (AgentEdit::Facing(f32::NAN), "facing"),
    ];
    for (edit, message) in cases {
        let refused = session.change_agent(UNIT, &edit, true).unwrap_err().to_string();
        assert!(refused.contains(message), "{refused}");
    }
    let gone = session.change_agent(AgentId(7), &AgentEdit::Frozen(true), true).unwrap_err();
    assert!(gone.to_string().contains("there is no agent 7"), "{gone}");
    assert_eq!((session.digest(), session.agent_settings(UNIT)), before);
    assert!(session.log().is_empty() && !session.can_undo());
}

#[test]
fn a_limit_that_is_taken_away_is_that_of_the_state_again() {
    let mut session = units();
    let max_speed = |session: &dyn Session| session.agent_settings(UNIT).unwrap().limits[1];
    session.change_agent(UNIT, &AgentEdit::State("hurry".to_string()), true).unwrap();
    session.change_agent(UNIT, &AgentEdit::Limit(Limit::MaxSpeed, Some(1.0)), true).unwrap();
    let own = max_speed(session.as_ref());
    assert_eq!((own.limit, own.value, own.is_own), (Limit::MaxSpeed, 1.0, true));
    assert_eq!(own.range.max, 5.0, "the cap of the group");
    session.change_agent(UNIT, &AgentEdit::Limit(Limit::MaxSpeed, None), true).unwrap();
    assert_eq!(max_speed(session.as_ref()).value, 4.0);
    assert!(!max_speed(session.as_ref()).is_own);
}

#[test]
fn an_angle_turns_an_agent_on_the_ground_also_where_y_is_up() {
    let text = "dimension = 3\nup = \"y\"\n[[group]]\nname = \"a\"\nspawn = { points = [[0, 0, \
                0]] }\nmax_speed = 2\n";
    for (text, line) in [(UNITS, "1.0]"), (text, "0.0, -1.0]")] {
        let mut session = open("turn.toml", text, Format::Toml).unwrap();
        assert_eq!(session.agent_settings(UNIT).unwrap().facing, 0.0);
        session.change_agent(UNIT, &AgentEdit::Facing(90.0), true).unwrap();
        let facing = session.agent_settings(UNIT).unwrap().facing;
        assert!((facing - 90.0).abs() < 1e-3, "{facing}");
        assert!(session.log().contains(line), "{}", session.log());
    }
}
