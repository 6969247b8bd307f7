//! The tests of the plugin but those that need a process of their own (`agents` sets the threads of
//! Bevy, `allocations` counts): one program, since each would compile the generic code of the
//! library again.

mod events;
mod formations;
mod gizmos;
mod saves;
mod scene_files;
mod scenes;
