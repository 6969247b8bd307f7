//! The use of commands: changes of a running crowd between two ticks.
//!
//! A command is plain data that refers to names of a scene. A scene and a log of commands, each
//! with its tick, define a run: a replay gives the same digest. A refused command changes nothing.

mod agent;
mod apply;
mod set;
mod timed;
mod trial;
