//! A scene that is running: the crowd, what was done to it, and how to take that back. The gallery does not know its dimension.

use eframe::egui::{Painter, Pos2, Rect, pos2};
use wayfare::crowd::{Clock, Command, Setup};
use wayfare::glam::Vec2;
use wayfare::space::Edge;
use wayfare::{Crowd, Vector};
use wayfare_scene::{AnyScene, Fire, Format, Log, Scene, Severity, Source, read};

use crate::camera::Camera;
use crate::fire::Range;
use crate::forces::Why;
use crate::ground;
use crate::hold::{Held, Hold};
use crate::swarm::Mark;
use crate::theme::Theme;
use crate::trails::Trails;

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
    /// A part of a tick, in which about `agents` move; whether it has ended. Before it begins the pointer goes to `pointer`, if that is not where it is.
    fn step_part(&mut self, pointer: Option<Pos2>, agents: usize) -> bool;
    /// One tick, or the rest of one.
    fn step(&mut self, pointer: Option<Pos2>) {
        self.step_part(pointer, usize::MAX);
    }
    /// From the start again, with this seed.
    fn restart(&mut self, seed: u64);

    /// What can be held at a place of the world, within `reach` (length).
    fn hold(&self, at: Pos2, reach: f32) -> Option<Hold>;
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
    /// Takes back what was done last; whether there was something.
    fn undo(&mut self) -> bool;
    fn can_undo(&self) -> bool;
    /// All that was done, as a log that `wayfare run --input` replays.
    fn log(&self) -> String;

    /// What agents move among.
    fn draw_ground(&self, painter: &Painter, camera: &Camera, theme: &Theme);
    fn draw_trails(&self, painter: &Painter, camera: &Camera, theme: &Theme);
    /// The agents, between the last two ticks by how much of the next one has passed if they are to be `smooth`.
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

/// Reads a scene's text and sets it up.
///
/// # Errors
/// What is wrong with it, as the command says it.
pub(crate) fn open(name: &str, text: &str, format: Format) -> Result<Box<dyn Live>, String> {
    let source = Source { name: name.to_string(), text: text.to_string() };
    match read(&source, format) {
        Ok(AnyScene::Flat(scene)) => Ok(Box::new(Show::new(scene)?)),
        Ok(AnyScene::Deep(scene)) => Ok(Box::new(Show::new(scene)?)),
        Err(problems) => Err(source.render(Severity::Error, &problems, false)),
    }
}

/// From so many agents on, threads are worth having.
#[cfg(not(target_arch = "wasm32"))]
const LARGE: usize = 5_000;

struct Show<V: Vector> {
    title: String,
    setup: Setup<V>,
    fire: Option<Fire>,
    crowd: Crowd<V>,
    log: Log<V>,
    /// The commands that take back what was done, the last one's last.
    undo: Vec<Command<V>>,
    held: Option<Held<V>>,
    clock: Clock,
    /// Whether part of a tick is done.
    under_way: bool,
    trails: Trails,
    /// The places of the agents by their ids, as they are now.
    order: Vec<u32>,
    /// Who is drawn larger than a point has bodies; others get a size that can be seen.
    size: f32,
}

impl<V: Vector> Show<V> {
    fn new(scene: Scene<V>) -> Result<Self, String> {
        let Scene { title, setup, fire, .. } = scene;
        let crowd = Crowd::new(setup.clone()).map_err(|e| e.to_string())?;
        let mut show = Self {
            title,
            setup,
            fire,
            crowd,
            log: Log::default(),
            undo: Vec::new(),
            held: None,
            clock: Self::clock(),
            under_way: false,
            trails: Trails::default(),
            order: Vec::new(),
            size: 1.0,
        };
        show.share();
        show.size = 0.016 * show.world().size().length() / (show.crowd.len() as f32 / 8.0).max(1.0).powf(0.4);
        show.remember();
        Ok(show)
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
        self.crowd.by_id(&mut self.order);
        let (crowd, fire) = (&self.crowd, self.fire);
        // Trails of bullets would be lines all over the picture.
        let walkers = self.order.iter().map(|&place| crowd.at(place)).filter(|m| !is_bullet(fire, m.group));
        let agents = walkers.map(|m| (m.id, m.group as u32, screen(m.agent.position)));
        self.trails.add(agents);
    }

    /// Does `command` and notes it, if it is taken.
    fn record(&mut self, command: Command<V>) -> bool {
        self.log.record(&mut self.crowd, command).is_ok()
    }

    /// Does what `commands` says of a scene in which clicks fire.
    fn shoot(&mut self, commands: impl FnOnce(&Range<V>) -> Vec<Command<V>>) {
        let Some(fire) = self.fire else { return };
        let commands = commands(&Range { crowd: &self.crowd, setup: &self.setup, fire, order: &self.order });
        if !commands.is_empty() {
            commands.into_iter().for_each(|command| _ = self.record(command));
            self.crowd.by_id(&mut self.order);
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

impl<V: Vector> Live for Show<V> {
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
        self.setup.obstacles.iter().map(|shape| shape.extent()).for_each(|(low, high)| [low, high].into_iter().for_each(&mut see));
        self.setup.pointer.iter().flat_map(|track| &track.points).for_each(|&(_, p)| see(p));
        if world.is_positive() { world.expand(0.08 * world.size().max_elem()) } else { Rect::from_center_size(pos2(0.0, 0.0), [100.0, 100.0].into()) }
    }
    fn pointer(&self) -> Option<Pos2> {
        self.setup.pointer.as_ref()?;
        self.crowd.pointer().map(screen)
    }

    fn due(&mut self, time: f64) -> u32 {
        self.clock.due(&self.crowd, time)
    }
    fn step_part(&mut self, pointer: Option<Pos2>, agents: usize) -> bool {
        if !self.under_way {
            // Before the tick, not after the last one: where it ended, a log of all until then ends in the same digest, and who is hit is seen to be.
            self.shoot(|range| range.hits());
        }
        if let Some(at) = pointer.filter(|_| self.setup.pointer.is_some() && !self.under_way) {
            let at = Self::lifted(flat(at), self.level());
            if self.crowd.pointer() != Some(at) {
                self.record(Command::Pointer(Some(at)));
            }
        }
        let ended = self.crowd.step_part(agents.saturating_mul(self.crowd.threads()));
        self.under_way = !ended;
        if ended {
            self.remember();
        }
        ended
    }
    fn restart(&mut self, seed: u64) {
        self.setup.seed = seed;
        // It was taken before, and another seed breaks no rule.
        if let Ok(crowd) = Crowd::new(self.setup.clone()) {
            self.crowd = crowd;
            self.share();
        }
        (self.clock, self.under_way) = (Self::clock(), false);
        self.log = Log::default();
        self.undo.clear();
        self.held = None;
        self.trails.clear();
        self.remember();
    }

    fn hold(&self, at: Pos2, reach: f32) -> Option<Hold> {
        Hold::at(&self.crowd, flat(at), reach.max(self.size))
    }
    fn take(&mut self, hold: Hold) {
        self.held = Held::new(&self.crowd, hold);
    }
    fn drag(&mut self, way: Vec2) {
        if let Some(held) = &self.held {
            let command = held.moved(Self::lifted(way, V::ZERO));
            self.record(command);
        }
    }
    fn let_go(&mut self) {
        if let Some(held) = self.held.take() {
            self.undo.push(held.back());
        }
    }
    fn add(&mut self, at: Pos2) {
        let Some(group) = self.crowd.group_names().next().map(str::to_string) else { return };
        let command = Command::Add { group, position: Self::lifted(flat(at), self.level()), velocity: None };
        if let Ok(Some(id)) = self.log.record(&mut self.crowd, command) {
            self.undo.push(Command::Remove(id));
            self.crowd.by_id(&mut self.order);
        }
    }
    fn fires(&self) -> bool {
        self.fire.is_some()
    }
    fn fire(&mut self, at: Pos2) {
        let at = Self::lifted(flat(at), self.level());
        self.shoot(|range| range.shots(at));
    }
    fn undo(&mut self) -> bool {
        let Some(command) = self.undo.pop() else { return false };
        // Who has left by an exit since cannot be taken back.
        self.record(command);
        self.crowd.by_id(&mut self.order);
        true
    }
    fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }
    fn log(&self) -> String {
        self.log.text()
    }

    fn draw_ground(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let ground = ground::Ground { painter, camera, theme };
        ground.floor(self.setup.bounds.as_ref());
        self.crowd.exits().iter().for_each(|count| ground.exit(&count.exit.shape));
        self.crowd.paths().iter().for_each(|path| ground.path(path));
        self.crowd.obstacles().iter().for_each(|obstacle| ground.obstacle(obstacle.shape()));
        self.crowd.lines().iter().for_each(|count| ground.line(count));
    }
    fn draw_trails(&self, painter: &Painter, camera: &Camera, theme: &Theme) {
        let wraps = self.setup.bounds.filter(|bounds| bounds.edge == Edge::Wrap);
        let jump = wraps.map_or(f32::INFINITY, |bounds| 0.5 * screen(bounds.max - bounds.min).to_vec2().min_elem());
        self.trails.draw(painter, camera, jump, |group| theme.group(group as usize));
    }
    fn marks(&mut self, smooth: bool, theme: &Theme, out: &mut Vec<Mark>) {
        out.clear();
        let part = if smooth { self.clock.part(&self.crowd) } else { 1.0 };
        let shortest = self.size;
        let colors: Vec<_> = (0..self.setup.groups.len()).map(|group| theme.group(group).to_array()).collect();
        let bullets = self.fire.map(|fire| fire.bullets.0);
        out.extend(self.order.iter().map(|&place| {
            let (at, heading, radius, group) = self.crowd.drawn(place, part);
            // Bullets are as small as they are, so that nobody takes them for somebody, and stand out.
            let (radius, color) = if bullets == Some(group) { (radius, theme.text.to_array()) } else { (radius.max(shortest), colors[group]) };
            Mark { at: at.flat().to_array(), heading: heading.flat().to_array(), radius, color }
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
            self.crowd.by_id(&mut self.order);
        }
        why
    }
    fn first(&self, most: usize) -> Vec<u32> {
        self.order.iter().take(most).map(|&place| self.crowd.at(place).id).collect()
    }
    fn place_of(&self, id: u32) -> Option<Pos2> {
        self.crowd.get(id).map(|member| screen(member.agent.position))
    }
    fn landmarks(&self) -> Vec<(String, Pos2)> {
        let agents = self.first(4).into_iter().filter_map(|id| Some((format!("agent:{id}"), self.place_of(id)?)));
        let middle = |shape: &wayfare::obstacle::Shape<V>| {
            let (low, high) = shape.extent();
            screen((low + high) * 0.5)
        };
        let obstacles = self.crowd.obstacles().iter().take(4).enumerate().map(|(i, obstacle)| (format!("obstacle:{i}"), middle(obstacle.shape())));
        agents.chain(obstacles).collect()
    }
    fn next_agent(&self, after: Option<u32>) -> Option<u32> {
        let ids = || self.order.iter().map(|&place| self.crowd.at(place).id);
        let next = after.and_then(|after| ids().find(|&id| id > after));
        next.or_else(|| ids().next())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::camera::View;
    use crate::catalog::catalog;
    use eframe::egui;
    use wayfare_scene::bundled;

    fn arrive() -> Box<dyn Live> {
        open("arrive.toml", bundled("arrive").unwrap().text, Format::Toml).unwrap()
    }

    /// The scene at its start as a bare crowd, and what is to be done to it.
    fn replay(name: &str, log: &Source) -> (Crowd<Vec2>, Log<Vec2>) {
        let scene = Source { name: name.to_string(), text: bundled(name).unwrap().text.to_string() };
        let Ok(AnyScene::Flat(scene)) = read(&scene, Format::Toml) else { panic!("it is flat") };
        (Crowd::new(scene.setup).unwrap(), Log::read(log).unwrap())
    }

    #[test]
    fn every_bundled_scene_opens_and_is_inside_what_is_shown() {
        for entry in catalog() {
            let mut live = open(entry.scene.name, entry.scene.text, Format::Toml).unwrap();
            assert!(live.world().is_positive(), "{}", entry.scene.name);
            let mut marks = Vec::new();
            live.step(None);
            live.marks(false, &Theme::of(false), &mut marks);
            assert_eq!(marks.len(), live.len());
        }
    }

    #[test]
    fn what_a_person_did_is_a_log_that_ends_in_the_same_digest() {
        let mut live = arrive();
        for tick in 0..40 {
            match tick {
                5 => live.add(pos2(50.0, 60.0)),
                12 => {
                    let first = live.next_agent(None).and_then(|id| live.place_of(id)).unwrap();
                    let hold = live.hold(first, 1.0).unwrap();
                    live.take(hold);
                    live.drag(Vec2::new(30.0, 10.0));
                    live.drag(Vec2::new(35.0, 10.0));
                    live.let_go();
                }
                20 => assert!(live.undo()),
                _ => {}
            }
            live.step((tick >= 10).then_some(pos2(200.0 + tick as f32, 150.0)));
        }
        let source = Source { name: "log".to_string(), text: live.log() };
        let (mut crowd, mut log) = replay("arrive", &source);
        for _ in 0..40 {
            log.apply(&mut crowd).unwrap();
            crowd.step();
        }
        assert_eq!(crowd.digest(), live.digest());
        assert!(source.text.lines().count() > 30, "{}", source.text);
    }

    #[test]
    fn a_click_fires_a_monster_that_is_hit_goes_another_enters_and_the_log_has_all_of_it() {
        let mut live = open("captain.toml", bundled("captain").unwrap().text, Format::Toml).unwrap();
        let monsters = 10..14;
        assert!(live.fires());
        let mut digests = Vec::new();
        for tick in 0..160 {
            let target = monsters.clone().find_map(|id| live.place_of(id));
            if let Some(at) = target.filter(|_| tick % 20 == 10) {
                live.fire(at);
                assert!(live.len() >= 14 + 9, "each of the nine soldiers has fired");
            }
            live.step((tick % 3 == 0).then_some(pos2(200.0, 240.0)));
            digests.push(live.digest());
        }
        let hit = monsters.filter(|&id| live.place_of(id).is_none()).count();
        let source = Source { name: "log".to_string(), text: live.log() };
        let (mut crowd, mut log) = replay("captain", &source);
        assert!(hit > 0 && crowd.len() == 14, "nobody was hit");
        for digest in digests {
            log.apply(&mut crowd).unwrap();
            crowd.step();
            assert_eq!(crowd.digest(), digest, "tick {}", crowd.tick());
        }
        assert_eq!(crowd.agents().filter(|(_, agent)| agent.radius == 11.0).count(), 4, "as many monsters as before");
        let entered = source.text.lines().filter(|line| line.contains("\"add\": \"monsters\"")).count();
        assert!(entered >= hit, "{entered} for {hit}");
    }

    #[test]
    fn bullets_have_no_trails_and_are_drawn_as_small_as_they_are() {
        let source = Source { name: "captain".to_string(), text: bundled("captain").unwrap().text.to_string() };
        let Ok(AnyScene::Flat(scene)) = read(&source, Format::Toml) else { panic!("it is flat") };
        let mut show = Show::new(scene).unwrap();
        show.fire(pos2(600.0, 20.0));
        (0..3).for_each(|_| show.step(None));
        let mut marks = Vec::new();
        show.marks(false, &Theme::of(false), &mut marks);
        let small = marks.iter().filter(|mark| mark.radius == 3.0).count();
        assert!(small == 9 && marks.iter().all(|mark| mark.radius == 3.0 || mark.radius > 8.0), "{marks:?}");
        let (screen, groups) = (Rect::from_min_size(Pos2::ZERO, [640.0, 480.0].into()), std::cell::RefCell::new(Vec::new()));
        let painter = Painter::new(egui::Context::default(), egui::LayerId::background(), screen);
        show.trails.draw(&painter, &View::default().camera(show.world(), screen), f32::INFINITY, |group| {
            groups.borrow_mut().push(group);
            egui::Color32::BLACK
        });
        let groups = groups.into_inner();
        assert!([0, 1, 2].iter().all(|group| groups.contains(group)) && !groups.contains(&3), "{groups:?}");
    }

    #[test]
    fn a_scene_without_fire_takes_no_shots() {
        let mut live = arrive();
        let count = live.len();
        live.fire(pos2(50.0, 60.0));
        assert!(!live.fires() && live.len() == count && live.log().is_empty());
    }

    #[test]
    fn undo_takes_back_what_was_added_and_moved() {
        let mut live = arrive();
        let count = live.len();
        live.add(pos2(50.0, 60.0));
        let first = live.next_agent(None).unwrap();
        let before = live.place_of(first).unwrap();
        let hold = live.hold(before, 1.0).unwrap();
        live.take(hold);
        live.drag(Vec2::new(9.0, 0.0));
        live.let_go();
        assert!((live.place_of(first).unwrap() - before).length() > 8.0);
        assert!(live.undo() && live.undo() && !live.undo());
        assert_eq!((live.len(), live.place_of(first)), (count, Some(before)));
    }
}
