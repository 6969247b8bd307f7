//! A running scene of one dimension: the crowd, its log, its undo steps and its timeline.
//!
//! The traits of [`Session`](crate::session::traits::Session) are implemented in the files of
//! `scene/`, one per concern.

use wayfare::crowd::{Added, Clock, Command, Setup, ValidationError};
use wayfare::glam::Vec2;
use wayfare::spatial::space::Edge;
use wayfare::{Crowd, GroupId, Log, Vector};
use wayfare_scene::edit::Draft;
use wayfare_scene::{Fire, Scene};

use crate::session::dimension::Dimension;
use crate::session::edit::UndoStep;
use crate::session::geometry::WorldRect;
use crate::session::picking::Grabbed;
use crate::session::timeline::Timeline;
use crate::session::trails::{TrailPoint, Trails};

mod agent_settings;
mod drawing;
mod editing;
mod exporting;
mod interaction;
mod measuring;
mod simulation;
mod states;
mod time_travel;

/// Number of agents from which several threads step faster than one.
#[cfg(not(target_arch = "wasm32"))]
const LARGE: usize = 5_000;

/// A running scene.
pub(crate) struct RunningScene<V: Vector> {
    draft: Draft,
    starting_text: String,
    title: String,
    setup: Setup<V>,
    fire: Option<Fire>,
    crowd: Crowd<V>,
    log: Log<V>,
    /// Why the replay of an opened log stopped.
    replay_error: Option<String>,
    /// The tick of the refused event of the scene that has been told.
    told: Option<u64>,
    /// The latest step is the last entry.
    undo: Vec<UndoStep<V>>,
    grabbed: Option<Grabbed<V>>,
    /// Offset of the grabbed object from where it was grabbed (length).
    dragged: V,
    clock: Clock,
    /// Whether a tick has begun and not ended.
    mid_tick: bool,
    timeline: Timeline<V>,
    trails: Trails,
    /// Rows of the agents, sorted by id.
    rows_by_id: Vec<u32>,
    /// Size at which agents without a body are drawn (length).
    visible_radius: f32,
}

impl<V: Dimension> RunningScene<V> {
    /// `earlier` are drafts that undo returns to.
    ///
    /// # Errors
    /// What is wrong with the setup.
    pub(crate) fn new(scene: Scene<V>, draft: Draft, earlier: Vec<Draft>) -> Result<Self, String> {
        let Scene { title, setup, fire, .. } = scene;
        let crowd = Crowd::new(setup.clone()).map_err(|e| e.to_string())?;
        let mut running = Self {
            starting_text: draft.text().to_string(),
            draft,
            title,
            setup,
            fire,
            crowd,
            log: Log::default(),
            replay_error: None,
            told: None,
            undo: earlier.into_iter().map(|draft| UndoStep::Draft(Box::new(draft))).collect(),
            grabbed: None,
            dragged: V::ZERO,
            clock: simulated_clock(),
            mid_tick: false,
            timeline: Timeline::default(),
            trails: Trails::default(),
            rows_by_id: Vec::new(),
            visible_radius: 1.0,
        };
        running.prepare();
        Ok(running)
    }

    /// Starts again from tick 0 as the draft says, with `seed` if one is given.
    fn start_again(&mut self, seed: Option<u64>) {
        let Some(scene) = V::scene(self.draft.scene()).cloned() else { return };
        let mut setup = scene.setup;
        setup.seed = seed.unwrap_or(setup.seed);
        // The text of a draft is always valid.
        if let Ok(crowd) = Crowd::new(setup.clone()) {
            (self.crowd, self.setup, self.title, self.fire) =
                (crowd, setup, scene.title, scene.fire);
            self.starting_text = self.draft.text().to_string();
        }
        (self.clock, self.mid_tick, self.timeline) =
            (simulated_clock(), false, Timeline::default());
        (self.log, self.told) = (Log::default(), None);
        self.grabbed = None;
        self.trails.clear();
        self.prepare();
    }

    /// Sets the values that follow from a new crowd: threads, sizes, and the first records.
    fn prepare(&mut self) {
        // A page has one thread.
        #[cfg(not(target_arch = "wasm32"))]
        if self.crowd.len() >= LARGE {
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
            // Without further threads the crowd steps on one, with the same result.
            let _ = self.crowd.set_threads(cores);
        }
        let wrapped = self.setup.bounds.filter(|bounds| bounds.edge == Edge::Wrap);
        self.trails.longest_step =
            wrapped.map_or(f32::INFINITY, |b| 0.5 * self.seen(b.max - b.min).min_element());
        self.visible_radius = 0.016 * self.world_rect().size().length()
            / (self.crowd.len() as f32 / 8.0).max(1.0).powf(0.4);
        self.after_tick();
    }

    /// Updates the order of ids, and records the beginning of a tick.
    fn after_tick(&mut self) {
        self.crowd.rows_by_id(&mut self.rows_by_id);
        let (crowd, bullets) = (&self.crowd, self.bullets());
        // Trails of bullets would cover the picture.
        let walkers = self
            .rows_by_id
            .iter()
            .filter_map(|&row| crowd.agent_at_row(row))
            .filter(|member| bullets != Some(member.group));
        self.trails.add(walkers.map(|member| TrailPoint {
            id: member.id,
            group: member.group,
            position: crowd.up().ground(member.agent.position),
        }));
        self.timeline.record(&self.crowd, self.draft.text(), self.undo.len());
    }

    /// Applies `command` and adds it to the log; returns what it has added.
    ///
    /// # Errors
    /// Why the crowd refused it; nothing has changed then.
    fn try_apply(&mut self, command: Command<V>) -> Result<Option<Added>, ValidationError> {
        let added = self.log.record(&mut self.crowd, command)?;
        self.cut_history();
        Ok(added)
    }

    /// Applies `command` and adds it to the log; returns whether the crowd took it.
    fn apply(&mut self, command: Command<V>) -> bool {
        self.try_apply(command).is_ok()
    }

    /// Discards everything recorded after the present tick.
    fn cut_history(&mut self) {
        if self.is_before_present() {
            self.log.cut();
            self.timeline.cut(self.crowd.tick());
        }
    }

    /// Whether the commands of the next tick are known already.
    fn is_before_present(&self) -> bool {
        self.crowd.tick() < self.timeline.present
    }

    /// The group of bullets.
    fn bullets(&self) -> Option<GroupId> {
        self.fire.map(|fire| fire.bullets)
    }

    /// A vector of the world as seen from above.
    fn seen(&self, v: V) -> Vec2 {
        self.setup.up.ground(v)
    }

    fn world_rect(&self) -> WorldRect {
        if let Some(bounds) = self.setup.bounds {
            return WorldRect::between(self.seen(bounds.min), self.seen(bounds.max));
        }
        let mut world = WorldRect::EMPTY;
        let mut see = |p: V| world.extend(self.seen(p));
        self.crowd.agents().for_each(|(_, agent)| see(agent.position));
        self.setup.paths.iter().flat_map(|(_, path)| path.points()).for_each(|&p| see(p));
        self.setup
            .obstacles
            .iter()
            .map(|shape| shape.extent(self.setup.up))
            .for_each(|(low, high)| [low, high].into_iter().for_each(&mut see));
        self.setup.pointer.iter().flat_map(|track| &track.points).for_each(|&(_, p)| see(p));
        if world.has_area() {
            world.expanded(0.08 * world.size().max_element())
        } else {
            WorldRect { min: Vec2::splat(-50.0), max: Vec2::splat(50.0) }
        }
    }

    /// A point of the world in this dimension, at the height of the pointer and of new agents: the
    /// middle of the bounds.
    fn at_middle_height(&self, at: Vec2) -> V {
        let middle = self.setup.bounds.map_or(V::ZERO, |bounds| (bounds.min + bounds.max) * 0.5);
        self.setup.up.at_height_of(at, middle)
    }
}

/// A clock that is given simulated time; it drops no ticks.
fn simulated_clock() -> Clock {
    let mut clock = Clock::new(1.0);
    clock.most = u32::MAX;
    clock
}

#[cfg(test)]
mod tests;
