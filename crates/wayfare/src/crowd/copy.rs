//! A copy of a whole crowd, for a game that looks ahead or rolls back.

use alloc::vec::Vec;

use super::Crowd;
use super::query::Index;
use crate::platform::Mutex;
use crate::vector::Vector;

/// A copy that continues with the same bits, independent of the original: a rollback keeps one of a
/// tick whose commands may still change. It costs about the copy of its columns; buffers, which
/// follow from the rest, are made anew. The threads of both are the same.
///
/// ```
/// use wayfare::{
///     Crowd,
///     crowd::{Group, Setup, Spawn, StartVelocity},
///     glam::vec2,
/// };
/// let mut walker = Group::new("walker", 1, Spawn::Points(vec![vec2(0.0, 0.0)]), 2.0);
/// walker.velocity = StartVelocity::Same(vec2(2.0, 0.0));
/// let mut crowd = Crowd::new(Setup { groups: vec![walker], ..Setup::default() })?;
/// let earlier = crowd.clone();
/// crowd.step();
/// assert_eq!((earlier.tick(), crowd.tick()), (0, 1));
/// crowd.clone_from(&earlier);
/// assert_eq!(crowd.digest(), earlier.digest());
/// # Ok::<(), wayfare::crowd::SetupError>(())
/// ```
impl<V: Vector> Clone for Crowd<V> {
    fn clone(&self) -> Self {
        // Without `..`: a new field does not compile until it is copied here.
        let Self {
            setup,
            dt,
            seed,
            structure,
            original,
            users,
            baseline,
            fingerprint,
            tick,
            next_id,
            space,
            track,
            pointer,
            obstacles,
            obstacle_bvh,
            paths,
            fields,
            routes,
            groups,
            queues,
            tracker,
            sources,
            max_speed,
            max_displacement,
            relocated,
            recount,
            cell_width,
            now,
            next,
            has_previous,
            solid,
            ghosts,
            part,
            is_sorted_for_part,
            interior,
            progress,
            grid,
            threads,
            dispatch,
            scratch: _,
            visits: _,
            row_index,
            query_index: _,
        } = self;
        let mut copy = Self {
            setup: setup.clone(),
            dt: *dt,
            seed: *seed,
            structure: structure.clone(),
            original: original.clone(),
            users: users.clone(),
            baseline: baseline.clone(),
            fingerprint: *fingerprint,
            tick: *tick,
            next_id: *next_id,
            space: *space,
            track: track.clone(),
            pointer: *pointer,
            obstacles: obstacles.clone(),
            obstacle_bvh: obstacle_bvh.clone(),
            paths: paths.clone(),
            fields: fields.clone(),
            routes: routes.clone(),
            groups: groups.clone(),
            queues: queues.clone(),
            tracker: tracker.clone(),
            sources: sources.clone(),
            max_speed: *max_speed,
            max_displacement: *max_displacement,
            relocated: *relocated,
            recount: *recount,
            cell_width: *cell_width,
            now: now.clone(),
            next: next.clone(),
            has_previous: *has_previous,
            solid: solid.clone(),
            ghosts: ghosts.clone(),
            part: part.clone(),
            is_sorted_for_part: *is_sorted_for_part,
            interior: interior.clone(),
            progress: *progress,
            grid: grid.clone(),
            threads: threads.clone(),
            dispatch: *dispatch,
            scratch: Vec::new(),
            visits: Vec::<Mutex<_>>::new(),
            row_index: row_index.clone(),
            query_index: Index::default(),
        };
        copy.make_scratch();
        copy
    }
}
