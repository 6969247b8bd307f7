//! Bundled scenes do what the comments at their heads say, measured on the scenes themselves.
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

mod avoidance;
mod doorways;
mod flow_fields;
mod formation;
mod orca;
mod people;
mod perception;
mod population;
mod pursuit;
mod social_force;
mod starts;
mod states;
mod turning;
mod wander;

use wayfare::crowd::Setup;
use wayfare::glam::Vec2;
use wayfare::{Agent, AgentId, Crowd, GroupId};
use wayfare_scene::{AnyScene, Format, Scene, Source, bundled, read};

/// Reads a scene of the plane.
fn read_scene(text: &str) -> Scene<Vec2> {
    let source = Source { name: "scene.toml".to_string(), text: text.to_string() };
    let Ok(AnyScene::TwoD(scene)) = read(&source, Format::Toml) else {
        panic!("this is not a scene of the plane:\n{text}")
    };
    scene
}

/// The bundled scene with this name.
fn scene(name: &str) -> Scene<Vec2> {
    read_scene(bundled(name).unwrap().text)
}

/// The setup of the bundled scene with this name.
fn setup(name: &str) -> Setup<Vec2> {
    scene(name).setup
}

/// The crowd of the bundled scene with this name, at tick 0.
fn crowd(name: &str) -> Crowd<Vec2> {
    Crowd::new(setup(name)).unwrap()
}

/// The crowd of the bundled scene with this name, after the scene's duration.
fn crowd_at_end(name: &str) -> Crowd<Vec2> {
    let scene = scene(name);
    let ticks = scene.ticks();
    let mut crowd = Crowd::new(scene.setup).unwrap();
    (0..ticks).for_each(|_| crowd.step());
    crowd
}

/// The members of a group by ascending id.
fn members<'a>(crowd: &'a Crowd<Vec2>, group: &str) -> impl Iterator<Item = Agent<Vec2>> + 'a {
    let group = crowd.group_names().position(|name| name == group).map(GroupId).unwrap();
    (0..crowd.len() as u32)
        .filter_map(|id| crowd.get(id))
        .filter(move |member| member.group == group)
        .map(|member| member.agent)
}

/// The first member of a group.
fn first_member(crowd: &Crowd<Vec2>, group: &str) -> Agent<Vec2> {
    members(crowd, group).next().unwrap()
}

/// The agent with this id.
fn agent(crowd: &Crowd<Vec2>, id: impl Into<AgentId>) -> Agent<Vec2> {
    crowd.get(id).unwrap().agent
}
