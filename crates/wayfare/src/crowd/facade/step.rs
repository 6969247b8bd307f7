//! Steps, and the threads that share them.

use super::crowd::Crowd;
use crate::crowd::pipeline;
use crate::crowd::pipeline::input::TickInput;
use crate::simd::{SimdDispatch, SimdLevel};
use crate::threads::{GRAIN, Share};
#[cfg(feature = "parallel")]
use crate::threads::{HostThreads, Threads, ThreadsError};
use crate::vector::Vector;

impl<V: Vector> Crowd<V> {
    /// Sets the number of threads that share each step; 0 and 1 mean the caller's own thread.
    /// Results do not depend on it.
    ///
    /// Crowds of up to 512 agents are stepped by one thread anyway: sharing costs more than it
    /// gains.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let sky = Shape::box_between(vec2(0.0, 0.0), vec2(300.0, 300.0));
    /// let birds = Group::new("birds", 2_000, Spawn::inside(sky), 2.0).steer(Flock::default()
    ///     .radius(10.0));
    /// let mut alone = Setup::new(1.0).group(birds).crowd()?;
    /// let mut shared = alone.clone();
    /// shared.set_threads(4)?;
    /// alone.step();
    /// shared.step();
    /// assert_eq!(alone.digest(), shared.digest());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The threads could not be started.
    #[cfg(feature = "parallel")]
    pub fn set_threads(&mut self, count: usize) -> Result<(), ThreadsError> {
        self.tick.threads = Threads::new(count)?;
        self.make_scratch();
        Ok(())
    }

    /// Shares each step between threads of the program around it, in place of threads of its own.
    /// Results do not depend on it.
    ///
    /// ```
    /// use wayfare::crowd::HostThreads;
    /// use wayfare::prelude::*;
    /// struct Pair;
    /// impl HostThreads for Pair {
    ///     fn count(&self) -> usize {
    ///         2
    ///     }
    ///     fn join(&self, a: &mut (dyn FnMut() + Send), b: &mut (dyn FnMut() + Send)) {
    ///         std::thread::scope(|scope| {
    ///             scope.spawn(a);
    ///             b();
    ///         });
    ///     }
    /// }
    /// let mut crowd = Setup::<Vec2>::new(1.0).crowd()?;
    /// crowd.set_host_threads(&Pair);
    /// assert_eq!(crowd.threads(), 2);
    /// # Ok::<(), SetupError>(())
    /// ```
    #[cfg(feature = "parallel")]
    pub fn set_host_threads(&mut self, host: &'static dyn HostThreads) {
        self.tick.threads = Threads::of_host(host);
        self.make_scratch();
    }

    /// Makes steps use the instructions of `level` instead of the widest level that the machine
    /// has. Returns `false` and changes nothing if the machine lacks them.
    ///
    /// For tests: results do not depend on it.
    pub fn set_simd_level(&mut self, level: SimdLevel) -> bool {
        let Some(dispatch) = SimdDispatch::new(level) else { return false };
        self.tick.dispatch = dispatch;
        self.make_scratch();
        true
    }

    /// The number of threads that share a step.
    pub fn threads(&self) -> usize {
        self.tick.threads.count()
    }

    /// Advances the crowd by one tick, or ends a tick that [`step_budgeted`](Self::step_budgeted)
    /// has begun. A step cannot fail.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let walker =
    ///     Group::new("walker", 1, Spawn::point(vec2(0.0, 0.0)), 2.0).velocity(vec2(2.0, 0.0));
    /// let mut crowd = Setup::new(0.5).group(walker).crowd()?;
    /// (0..6).for_each(|_| crowd.step());
    /// assert_eq!((crowd.tick(), crowd.time()), (6, 3.0));
    /// assert_eq!(crowd.agents().next().unwrap().1.position, vec2(6.0, 0.0));
    /// # Ok::<(), SetupError>(())
    /// ```
    ///
    /// # Panics
    /// Only if a user's behavior panics: then the crowd keeps its state from before the tick, but
    /// loses the previous positions, from which a [`Clock`](crate::crowd::Clock) interpolates.
    pub fn step(&mut self) {
        self.step_budgeted(usize::MAX);
    }

    /// Advances the current tick by about `agents` agents: at least one, and the agents of a grid
    /// cell together; the contacts of solid bodies are a part of their own, of all agents. Returns
    /// whether the tick has ended.
    ///
    /// For programs that cannot wait for a full tick. A tick in parts gives the same bits as a full
    /// tick, at nearly the same cost. Until the tick ends, the crowd shows the state before it. A
    /// change of the crowd during a tick restarts the tick.
    ///
    /// ```
    /// use wayfare::prelude::*;
    /// let sky = Shape::box_between(vec2(0.0, 0.0), vec2(600.0, 400.0));
    /// let birds =
    ///     Group::new("birds", 900, Spawn::inside(sky), 2.0).steer(Wander::default()
    ///         .circle_distance(1.0).circle_radius(1.0).angle_change(0.5));
    /// let mut crowd = Setup::new(1.0).group(birds).crowd()?;
    /// let mut parts = 1;
    /// while !crowd.step_budgeted(300) {
    ///     assert_eq!(crowd.tick(), 0); // here a frame may be drawn
    ///     parts += 1;
    /// }
    /// assert_eq!((parts, crowd.tick()), (3, 1));
    /// # Ok::<(), SetupError>(())
    /// ```
    pub fn step_budgeted(&mut self, agents: usize) -> bool {
        V::step(self, agents)
    }

    pub(in crate::crowd) fn step_here(&mut self, agents: usize) -> bool {
        self.apply_due_commands();
        self.run_shared(|crowd, shared| crowd.advance(agents, shared))
    }

    /// Runs the phases of a tick until about `agents` agents have moved; returns whether the tick
    /// has ended.
    fn advance(&mut self, agents: usize, shared: Share) -> bool {
        let Self { world, population, tick, origin, part } = self;
        let before = pipeline::begin_tick(world, population, tick, origin, shared);
        if !pipeline::move_agents(world, population, tick, origin, agents, shared) {
            return false;
        }
        // In a tick in parts contacts are a part of their own.
        let is_part = agents < population.now.len() && tick.progress != Some(before);
        if is_part && tick.solid.is_some() {
            return false;
        }
        _ = pipeline::resolve_contacts(world, population, tick, None, shared);
        pipeline::observe(world, population, tick, origin, part.as_deref_mut(), shared);
        pipeline::populate(world, population, tick, origin, part.as_deref(), shared);
        true
    }

    /// Begins the next tick, unless that has been done. No result changes.
    pub(in crate::crowd) fn begin_tick(&mut self, shared: Share) {
        let Self { world, population, tick, origin, .. } = self;
        pipeline::begin_tick(world, population, tick, origin, shared);
    }

    /// What the phases of the tick that has begun read.
    pub(in crate::crowd) fn tick_input(&self) -> TickInput<'_, V> {
        TickInput::new(&self.world, &self.population, &self.tick, &self.origin)
    }

    /// The deepest overlap of two solid bodies after the last tick, as a part of the smaller radius
    /// (1 where the surface of one lies on the center of the other); `None` if bodies are not
    /// solid. Bodies that have entered since the tick before are counted apart, by
    /// [`deepest_entry`](Self::deepest_entry).
    pub fn deepest_overlap(&self) -> Option<f32> {
        self.tick.solid.as_ref().map(|solid| solid.deepest().0)
    }

    /// The same of a body in its first tick, which may have entered on top of another: by a source,
    /// by [`add`](Self::add) or with a group.
    pub fn deepest_entry(&self) -> Option<f32> {
        self.tick.solid.as_ref().map(|solid| solid.deepest().1)
    }

    /// Runs `work` with the threads of this crowd, if there are enough agents.
    pub(in crate::crowd) fn run_shared<T: Send>(
        &mut self,
        work: impl FnOnce(&mut Self, Share) -> T + Send,
    ) -> T {
        let threads = self.tick.threads.clone();
        if threads.count() > 1 && self.len() > 2 * GRAIN {
            threads.run(|shared| work(self, shared))
        } else {
            work(self, Share::ALONE)
        }
    }
}
