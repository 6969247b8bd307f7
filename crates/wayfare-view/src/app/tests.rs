//! The application without a screen.

mod agent;
mod comparison;
mod files;
mod links;
mod playback;
mod pointer;
mod screen;
mod settings;
mod text;
mod tour;
