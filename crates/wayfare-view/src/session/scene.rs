//! A scene that is running: the crowd, what was done to it, and how to take that back. The gallery
//! does not know its dimension.

use eframe::egui::{Color32, Painter, Pos2, Rect, pos2};
use wayfare::crowd::{Clock, Command, Setup, ValidationError};
use wayfare::glam::{Vec2, Vec3};
use wayfare::spatial::space::Edge;
use wayfare::{Crowd, Vector};
use wayfare_scene::edit::Draft;
use wayfare_scene::{AnyScene, Fire, Format, Log, Problem, Scene, Severity, Source};

use crate::render::camera::Camera;
use crate::render::forces::Why;
use crate::render::gpu_agents::Mark;
use crate::render::ground;
use crate::render::theme::Theme;
use crate::render::trails::Trails;
use crate::session::drag::{Held, Hold};
use crate::session::export::{self, Film, Kind};
use crate::session::fire::Range;

mod editing;
mod history;
mod measures;
mod states;

pub(crate) use editing::Edit;
use editing::Undo;
use history::Past;
pub(crate) use measures::{Measure, Quantity, Who};
pub(crate) use states::States;

/// A running scene of either dimension.
pub(crate) trait Live {
    fn title(&self) -> &str;
    fn seed(&self) -> u64;
    fn tick(&self) -> u64;
    fn time(&self) -> f64;
    fn dt(&self) -> f64;
    fn len(&self) -> usize;
    fn digest(&self) -> u64;
    /// Where everything is at the start (length).
    fn world(&self) -> Rect;
    /// Whether the scene has a pointer, and where it is.
    fn pointer(&self) -> Option<Pos2>;

    /// How many ticks are due after so much more simulated time.
    fn due(&mut self, time: f64) -> u32;
    /// A part of a tick, in which about `agents` move; whether it has ended. Before it begins the
    /// pointer goes to `pointer`, if that is not where it is.
    fn step_budgeted(&mut self, pointer: Option<Pos2>, agents: usize) -> bool;
    /// One tick, or the rest of one.
    fn step(&mut self, pointer: Option<Pos2>) {
        self.step_budgeted(pointer, usize::MAX);
    }
    /// From the start again, with this seed.
    fn restart(&mut self, seed: u64);

    /// What can be held at a place of the world, within `reach` (length).
    fn hold(&self, at: Pos2, reach: f32) -> Option<Hold>;
    /// Whether an obstacle is there.
    fn is_obstacle(&self, at: Pos2) -> bool;
    /// Takes hold of it: from here on `drag` moves it.
    fn take(&mut self, hold: Hold);
    /// Moves what is held by so much from where it was taken.
    fn drag(&mut self, way: Vec2);
    /// Lets go of what is held.
    fn let_go(&mut self);
    /// Adds an agent of the first group there.
    fn add(&mut self, at: Pos2);
    /// Whether clicks fire in this scene.
    fn fires(&self) -> bool;
    /// Fires there, in a scene in which clicks do.
    fn fire(&mut self, at: Pos2);
    /// Takes back what was done last.
    fn undo(&mut self) -> Outcome;
    fn can_undo(&self) -> bool;
    /// All that was done since the start, as a log that `wayfare run --input` replays.
    fn log(&self) -> String;

    /// The scene's text and what can be set in it, as they are now.
    fn draft(&self) -> &Draft;
    /// From the start again, and all that a log says has been done: until its last tick the mouse
    /// is not the pointer. Gives back how many commands it has.
    ///
    /// # Errors
    /// What is wrong with the log.
    fn replay(&mut self, log: &Source) -> Result<String, Vec<Problem>>;
    /// Whether what comes next is known: it is done again, or a log says it.
    fn replays(&self) -> bool;
    /// What went wrong in a replay, once.
    fn trouble(&mut self) -> Option<String>;
    /// This moment as PNG.
    fn picture(&self) -> Result<Vec<u8>, String>;
    /// All until this tick, run again and written so; and what to say of it besides.
    fn film(&self, kind: Kind) -> Result<(Box<dyn Film>, String), String>;
    /// Changes the scene; `fresh` begins another step of undo, and what follows while one slider is
    /// dragged belongs to it.
    ///
    /// # Errors
    /// The value and what is allowed; then nothing has changed.
    fn edit(&mut self, edit: &Edit, fresh: bool) -> Result<Outcome, ValidationError>;
    /// Takes what a person has typed for the scene's text.
    ///
    /// # Errors
    /// What is wrong with it; then the scene goes on as it was.
    fn retype(&mut self, text: String, fresh: bool) -> Result<Outcome, Vec<Problem>>;
    /// The text that the crowd began with, and its log with it.
    fn begun_with(&self) -> &str;

    /// The earliest tick that can be gone back to, and the latest one, to which all is known.
    fn known(&self) -> (u64, u64);
    /// Goes back to a tick, or forward to one that is known: then everything is done again as it
    /// was.
    fn go_to(&mut self, tick: u64);
    /// Forgets what was done after this tick.
    fn forget_later(&mut self);

    /// What is to be seen of somebody at this tick.
    fn measure(&mut self, who: Who, wanted: &[Quantity]) -> Vec<Measure>;
    /// The states of somebody's group and its stats; `None` where it has neither.
    fn states(&self, who: Who) -> Option<States>;
    /// The groups by their names.
    fn groups(&self) -> Vec<String>;
    /// The color in which a group is drawn.
    fn color(&self, group: usize, theme: &Theme) -> Color32;
    /// Where everybody is.
    fn places(&self, see: &mut dyn FnMut(Pos2));

    /// What agents move among.
    fn draw_ground(&self, painter: &Painter, camera: &Camera, theme: &Theme);
    fn draw_trails(&self, painter: &Painter, camera: &Camera, theme: &Theme);
    /// The agents, between the last two ticks by how much of the next one has passed if they are to
    /// be `smooth`.
    fn marks(&mut self, smooth: bool, theme: &Theme, out: &mut Vec<Mark>);
    /// What moves these agents at the next tick, and why.
    fn why(&mut self, ids: &[u32]) -> Vec<Why>;
    /// The ids of the first so many agents.
    fn first(&self, most: usize) -> Vec<u32>;
    /// Where an agent is now.
    fn place_of(&self, id: u32) -> Option<Pos2>;
    /// The first agents and obstacles by their names, and where they are.
    fn landmarks(&self) -> Vec<(String, Pos2)>;
    /// The next agent after this one, by its id; the first after the last.
    fn next_agent(&self, after: Option<u32>) -> Option<u32>;
}

/// What came of something that a person did.
pub(crate) enum Outcome {
    /// There was nothing to do.
    Nothing,
    /// It was done while the crowd goes on.
    Done,
    /// The crowd begins anew.
    Anew,
    /// The scene has another number of dimensions now.
    Other(Box<dyn Live>),
}

/// Reads a scene's text and sets it up.
///
/// # Errors
/// What is wrong with it, as the command says it.
pub(crate) fn open(name: &str, text: &str, format: Format) -> Result<Box<dyn Live>, String> {
    let source = Source { name: name.to_string(), text: text.to_string() };
    let draft = Draft::new(source.clone(), format)
        .map_err(|problems| source.render(Severity::Error, &problems, false))?;
    opened(draft, Vec::new())
}

/// The scene that `draft` is, and drafts that undo goes back to.
fn opened(draft: Draft, undo: Vec<Draft>) -> Result<Box<dyn Live>, String> {
    match draft.scene().clone() {
        AnyScene::TwoD(scene) => Ok(Box::new(Show::new(scene, draft, undo)?)),
        AnyScene::ThreeD(scene) => Ok(Box::new(Show::new(scene, draft, undo)?)),
    }
}

/// The plane or space: which of its kinds a scene is.
pub(crate) trait Dimension: Vector {
    fn scene(any: &AnyScene) -> Option<&Scene<Self>>;
}

impl Dimension for Vec2 {
    fn scene(any: &AnyScene) -> Option<&Scene<Self>> {
        if let AnyScene::TwoD(scene) = any { Some(scene) } else { None }
    }
}

impl Dimension for Vec3 {
    fn scene(any: &AnyScene) -> Option<&Scene<Self>> {
        if let AnyScene::ThreeD(scene) = any { Some(scene) } else { None }
    }
}

/// From so many agents on, threads are worth having.
#[cfg(not(target_arch = "wasm32"))]
const LARGE: usize = 5_000;

struct Show<V: Vector> {
    draft: Draft,
    begun_with: String,
    title: String,
    setup: Setup<V>,
    fire: Option<Fire>,
    crowd: Crowd<V>,
    log: Log<V>,
    /// Why a log that was opened could not be followed.
    trouble: Option<String>,
    /// What takes back what was done, the last one's last.
    undo: Vec<Undo<V>>,
    held: Option<Held<V>>,
    /// How far what is held has been dragged.
    dragged: V,
    clock: Clock,
    /// Whether part of a tick is done.
    under_way: bool,
    past: Past<V>,
    trails: Trails,
    /// The places of the agents by their ids, as they are now.
    order: Vec<u32>,
    /// Who is drawn larger than a point has bodies; others get a size that can be seen.
    size: f32,
}

impl<V: Dimension> Show<V> {
    fn new(scene: Scene<V>, draft: Draft, undo: Vec<Draft>) -> Result<Self, String> {
        let Scene { title, setup, fire, .. } = scene;
        let crowd = Crowd::new(setup.clone()).map_err(|e| e.to_string())?;
        let mut show = Self {
            begun_with: draft.text().to_string(),
            draft,
            title,
            setup,
            fire,
            crowd,
            log: Log::default(),
            trouble: None,
            undo: undo.into_iter().map(|draft| Undo::Draft(Box::new(draft))).collect(),
            held: None,
            dragged: V::ZERO,
            clock: Self::clock(),
            under_way: false,
            past: Past::default(),
            trails: Trails::default(),
            order: Vec::new(),
            size: 1.0,
        };
        show.share();
        show.measure();
        show.remember();
        Ok(show)
    }

    /// How large who has no body is drawn.
    fn measure(&mut self) {
        self.size = 0.016 * self.world().size().length()
            / (self.crowd.len() as f32 / 8.0).max(1.0).powf(0.4);
    }

    /// It is given simulated time.
    fn clock() -> Clock {
        let mut clock = Clock::new(1.0);
        clock.most = u32::MAX;
        clock
    }

    /// Lets all cores of the machine share the steps of a large crowd; a page has but one.
    fn share(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        if self.crowd.len() >= LARGE {
            let cores = std::thread::available_parallelism().map_or(1, |cores| cores.get());
            // One thread does it as well, only slower.
            let _ = self.crowd.set_threads(cores);
        }
    }

    /// The order and the trails of the tick that has just ended.
    fn remember(&mut self) {
        self.crowd.rows_by_id(&mut self.order);
        let (crowd, fire) = (&self.crowd, self.fire);
        // Trails of bullets would be lines all over the picture.
        let walkers = self
            .order
            .iter()
            .map(|&place| crowd.agent_at_row(place))
            .filter(|m| !is_bullet(fire, m.group));
        let agents = walkers.map(|m| (m.id, m.group as u32, screen(m.agent.position)));
        self.trails.add(agents);
        self.note_moment();
    }

    /// Does `command` and notes it, if it is taken.
    fn record(&mut self, command: Command<V>) -> bool {
        let done = self.log.record(&mut self.crowd, command).is_ok();
        if done {
            self.cut();
        }
        done
    }

    /// Does what `commands` says of a scene in which clicks fire.
    fn shoot(&mut self, commands: impl FnOnce(&Range<V>) -> Vec<Command<V>>) {
        let Some(fire) = self.fire else { return };
        let commands =
            commands(&Range { crowd: &self.crowd, setup: &self.setup, fire, order: &self.order });
        if !commands.is_empty() {
            commands.into_iter().for_each(|command| _ = self.record(command));
            self.crowd.rows_by_id(&mut self.order);
        }
    }

    /// The point above `at` that is as high as `like`.
    fn lifted(at: Vec2, like: V) -> V {
        V::from_fn(|i| if i < 2 { at[i] } else { like.axis(i) })
    }

    /// The height in which the pointer and new agents are: the middle of the world.
    fn level(&self) -> V {
        self.setup.bounds.map_or(V::ZERO, |bounds| (bounds.min + bounds.max) * 0.5)
    }
}

/// A point of the world as the screen's library has it.
pub(crate) fn screen<V: Vector>(p: V) -> Pos2 {
    let p = p.flat();
    pos2(p.x, p.y)
}

fn is_bullet(fire: Option<Fire>, group: usize) -> bool {
    fire.is_some_and(|fire| fire.bullets.0 == group)
}

fn flat(p: Pos2) -> Vec2 {
    Vec2::new(p.x, p.y)
}

impl<V: Dimension> Live for Show<V> {
    fn title(&self) -> &str {
        &self.title
    }
    fn seed(&self) -> u64 {
        self.setup.seed
    }
    fn tick(&self) -> u64 {
        self.crowd.tick()
    }
    fn time(&self) -> f64 {
        self.crowd.time()
    }
    fn dt(&self) -> f64 {
        self.crowd.dt()
    }
    fn len(&self) -> usize {
        self.crowd.len()
    }
    fn digest(&self) -> u64 {
        self.crowd.digest()
    }
    fn world(&self) -> Rect {
        if let Some(bounds) = self.setup.bounds {
            return Rect::from_two_pos(screen(bounds.min), screen(bounds.max));
        }
        let mut world = Rect::NOTHING;
        let mut see = |p: V| world.extend_with(screen(p));
        self.crowd.agents().for_each(|(_, agent)| see(agent.position));
        self.setup.paths.iter().flat_map(|(_, path)| &path.points).for_each(|&p| see(p));
        self.setup
            .obstacles
            .iter()
            .map(|shape| shape.extent())
            .for_each(|(low, high)| [low, high].into_iter().for_each(&mut see));
        self.setup.pointer.iter().flat_map(|track| &track.points).for_each(|&(_, p)| see(p));
        if world.is_positive() {
            world.expand(0.08 * world.size().max_elem())
        } else {
            Rect::from_center_size(pos2(0.0, 0.0), [100.0, 100.0].into())
        }
    }
    fn pointer(&self) -> Option<Pos2> {
        self.setup.pointer.as_ref()?;
        self.crowd.pointer().map(screen)
    }

    fn due(&mut self, time: f64) -> u32 {
        self.clock.due(&self.crowd, time)
    }
    fn step_budgeted(&mut self, pointer: Option<Pos2>, agents: usize) -> bool {
        let again = self.is_known();
        if again {
            self.redo();
        } else if !self.under_way {
            // Before the tick, not after the last one: where it ended, a log of all until then ends
            // in the same digest, and who is hit is seen to be.
            self.shoot(|range| range.hits());
        }
        if let Some(at) =
            pointer.filter(|_| self.setup.pointer.is_some() && !self.under_way && !again)
        {
            let at = Self::lifted(flat(at), self.level());
            if self.crowd.pointer() != Some(at) {
                self.record(Command::Pointer(Some(at)));
            }
        }
        let ended = self.crowd.step_budgeted(agents.saturating_mul(self.crowd.threads()));
        self.under_way = !ended;
        if ended {
            if again {
                self.come_again();
            }
            self.remember();
        }
        ended
    }
    fn restart(&mut self, seed: u64) {
        self.begin(Some(seed));
        self.undo.retain(|undo| matches!(undo, Undo::Draft(_)));
    }

    fn hold(&self, at: Pos2, reach: f32) -> Option<Hold> {
        Hold::at(&self.crowd, flat(at), reach.max(self.size))
    }
    fn is_obstacle(&self, at: Pos2) -> bool {
        Hold::obstacle(&self.crowd, flat(at), 0.0).is_some()
    }
    fn take(&mut self, hold: Hold) {
        (self.held, self.dragged) = (Held::new(&self.crowd, hold), V::ZERO);
    }
    fn drag(&mut self, way: Vec2) {
        if let Some(held) = &self.held {
            let way = Self::lifted(way, V::ZERO);
            let command = held.moved(way);
            if self.record(command) {
                self.dragged = way;
            }
        }
    }
    fn let_go(&mut self) {
        if let Some(held) = self.held.take()
            && !self.write_down(&held)
        {
            self.undo.push(Undo::Command(held.back()));
        }
    }
    fn add(&mut self, at: Pos2) {
        let Some(group) = self.crowd.group_names().next().map(str::to_string) else { return };
        let command =
            Command::Add { group, position: Self::lifted(flat(at), self.level()), velocity: None };
        if let Ok(Some(id)) = self.log.record(&mut self.crowd, command) {
            self.cut();
            self.undo.push(Undo::Command(Command::Remove(id)));
            self.crowd.rows_by_id(&mut self.order);
        }
    }
    fn fires(&self) -> bool {
        self.fire.is_some()
    }
    fn fire(&mut self, at: Pos2) {
        let at = Self::lifted(flat(at), self.level());
        self.shoot(|range| range.shots(at));
    }
    fn undo(&mut self) -> Outcome {
        self.take_back()
    }
    fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }
    fn log(&self) -> String {
        self.log.text()
    }

    fn draft(&self) -> &Draft {
        &self.draft
    }
    fn replay(&mut self, log: &Source) -> Result<String, Vec<Problem>> {
        let log = Log::<V>::read(log)?;
        self.restart(self.setup.seed);
        Ok(wayfare_scene::counted(self.foresee(log), "command"))
    }
    fn replays(&self) -> bool {
        self.is_known()
    }
    fn trouble(&mut self) -> Option<String> {
        self.trouble.take()
    }
    fn picture(&self) -> Result<Vec<u8>, String> {
        export::picture(&self.title, self.setup.bounds, &self.crowd)
    }
    fn film(&self, kind: Kind) -> Result<(Box<dyn Film>, String), String> {
        let crowd = Crowd::new(self.setup.clone()).map_err(|e| e.to_string())?;
        let log = Log::of(self.log.commands().map(|(tick, command)| (tick, command.clone())));
        export::film(kind, &self.title, self.setup.bounds, crowd, log, self.crowd.tick())
    }
    fn edit(&mut self, edit: &Edit, fresh: bool) -> Result<Outcome, ValidationError> {
        self.change(edit, fresh)
    }
    fn retype(&mut self, text: String, fresh: bool) -> Result<Outcome, Vec<Problem>> {
        self.take_text(text, fresh)
    }
    fn begun_with(&self) -> &str {
        &self.begun_with
    }

    fn known(&self) -> (u64, u64) {
        self.known()
    }
    fn go_to(&mut self, tick: u64) {
        self.go(tick);
    }
    fn forget_later(&mut self) {
        self.cut();
    }

    fn measure(&mut self, who: Who, wanted: &[Quantity]) -> Vec<Measure> {
        self.measures(who, wanted)
    }
    fn states(&self, who: Who) -> Option<States> {
        self.states_of(who)
    }
    fn groups(&self) -> Vec<String> {
        self.crowd.group_names().map(str::to_string).collect()
    }
    fn color(&self, group: usize, theme: &Theme) -> Color32 {
        // Bullets stand out.
        if is_bullet(self.fire, group) { theme.text } else { theme.group(group) }
    }
    fn places(&self, see: &mut dyn FnMut(Pos2)) {
        self.crowd.agents().for_each(|(_, agent)| see(screen(agent.position)));
    }

    fn draw_ground(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let ground = ground::Ground { painter, camera, theme };
        ground.floor(self.setup.bounds.as_ref());
        self.crowd.exits().iter().for_each(|count| ground.exit(&count.exit.shape));
        self.crowd.sources().iter().for_each(|count| ground.source(&count.source.area));
        self.crowd.fields().iter().for_each(|field| {
            ground.field(&wayfare_record::field_arrows(field, self.crowd.obstacles().into()))
        });
        self.crowd.paths().iter().for_each(|path| ground.path(path));
        self.crowd.obstacles().iter().for_each(|obstacle| ground.obstacle(obstacle.shape()));
        self.crowd.lines().iter().for_each(|count| ground.line(count));
    }
    fn draw_trails(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let wraps = self.setup.bounds.filter(|bounds| bounds.edge == Edge::Wrap);
        let jump = wraps.map_or(f32::INFINITY, |bounds| {
            0.5 * screen(bounds.max - bounds.min).to_vec2().min_elem()
        });
        self.trails.draw(painter, camera, jump, |group| theme.group(group as usize));
    }
    fn marks(&mut self, smooth: bool, theme: &Theme, out: &mut Vec<Mark>) {
        out.clear();
        let part = if smooth { self.clock.part(&self.crowd) } else { 1.0 };
        let shortest = self.size;
        let colors: Vec<_> =
            (0..self.setup.groups.len()).map(|group| self.color(group, theme).to_array()).collect();
        let bullets = self.fire.map(|fire| fire.bullets.0);
        out.extend(self.order.iter().map(|&place| {
            let (at, heading, radius, group) = self.crowd.drawn(place, part);
            // Bullets are as small as they are, so that nobody takes them for somebody.
            let radius = if bullets == Some(group) { radius } else { radius.max(shortest) };
            Mark {
                at: at.flat().to_array(),
                heading: heading.flat().to_array(),
                radius,
                color: colors[group],
            }
        }));
    }
    fn why(&mut self, ids: &[u32]) -> Vec<Why> {
        let crowd = &mut self.crowd;
        let why = ids.iter().filter_map(|&id| {
            let why = crowd.explain(id)?;
            Some(Why::new(&crowd.get(id)?.agent, &why))
        });
        let why = why.collect();
        if !ids.is_empty() {
            // It may have brought the agents into another order.
            self.crowd.rows_by_id(&mut self.order);
        }
        why
    }
    fn first(&self, most: usize) -> Vec<u32> {
        self.order.iter().take(most).map(|&place| self.crowd.agent_at_row(place).id).collect()
    }
    fn place_of(&self, id: u32) -> Option<Pos2> {
        self.crowd.get(id).map(|member| screen(member.agent.position))
    }
    fn landmarks(&self) -> Vec<(String, Pos2)> {
        let agents = self
            .first(4)
            .into_iter()
            .filter_map(|id| Some((format!("agent:{id}"), self.place_of(id)?)));
        let middle = |shape: &wayfare::geometry::obstacle::Shape<V>| {
            let (low, high) = shape.extent();
            screen((low + high) * 0.5)
        };
        let obstacles = self
            .crowd
            .obstacles()
            .iter()
            .take(4)
            .enumerate()
            .map(|(i, obstacle)| (format!("obstacle:{i}"), middle(obstacle.shape())));
        agents.chain(obstacles).collect()
    }
    fn next_agent(&self, after: Option<u32>) -> Option<u32> {
        let ids = || self.order.iter().map(|&place| self.crowd.agent_at_row(place).id);
        let next = after.and_then(|after| ids().find(|&id| id > after));
        next.or_else(|| ids().next())
    }
}

#[cfg(test)]
mod tests;
