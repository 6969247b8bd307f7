//! The tests of the plugin but those that count allocations: one program, since each would compile
//! the generic code of the library again.

mod agents;
mod events;
mod formations;
mod gizmos;
mod saves;
mod scene_files;
mod scenes;
