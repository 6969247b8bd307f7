//! Scene files as assets: the feature `scenes`.

use core::fmt;
use core::marker::PhantomData;
use std::collections::{HashMap, HashSet};

use bevy_app::{App, Plugin, PreUpdate};
use bevy_asset::io::Reader;
use bevy_asset::{
    Asset, AssetApp, AssetEvent, AssetId, AssetLoadError, AssetLoadFailedEvent, AssetLoader,
    AssetPath, AssetTrackingSystems, Assets, Handle, LoadContext,
};
use bevy_ecs::prelude::*;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::system::SystemState;
use bevy_math::{Vec2, Vec3};
use bevy_reflect::{Reflect, TypePath};
use bevy_time::{Fixed, Time};
use bevy_transform::components::Transform;
use wayfare::Registry;
use wayfare::behavior::Steer as Behavior;
use wayfare::crowd::Setup;
use wayfare::parameter::Parameters;
use wayfare::registry::NameTaken;
use wayfare_scene::{AnyScene, Format, Severity, Source, read_with};

use crate::components::{FlowGoal, FromSetup, Obstacle, Steer, SteerPath, SteeringId};
use crate::crowd::WayfareCrowd;
use crate::events::Refused;
use crate::inbox::{Inbox, Placed, Population};
use crate::plane::Dimension;

/// A scene file (.toml or .json), as an asset.
#[derive(Asset, Clone, Debug, TypePath)]
pub struct SceneFile {
    /// The scene.
    pub scene: AnyScene,
}

/// The scene file that the crowd starts from: its groups, obstacles, paths, fields, lines, exits
/// and sources, with its duration of a tick, which becomes that of `FixedUpdate`.
///
/// Insert it as a resource. When the file has been loaded, and again whenever it changes, the crowd
/// begins anew: members, obstacles and paths of the scene become entities with [`FromSetup`], and
/// entities of the app enter again in the order of their ids, with obstacles, paths and goals of
/// their own. What is
/// wrong in a file is told by the event [`SceneRefused`], and the crowd goes on as it was.
#[derive(Clone, Debug, Resource)]
pub struct WayfareScene<V: Dimension = Vec2> {
    /// The file.
    pub file: Handle<SceneFile>,
    marker: PhantomData<fn() -> V>,
}

impl<V: Dimension> WayfareScene<V> {
    /// The scene of this file.
    pub fn new(file: Handle<SceneFile>) -> Self {
        Self { file, marker: PhantomData }
    }
}

/// A group of a scene file as an asset: `"wolves.toml#grey"` is the group `grey` of that file. Its
/// behaviors refer to no other groups, and to no paths and fields of the file.
#[derive(Asset, Clone, Debug, TypePath)]
pub struct SteerFile<V: Dimension = Vec2> {
    /// The settings and behaviors, or why they need the rest of their scene.
    steer: Result<Steer<V>, String>,
}

/// Gives an entity the [`Steer`] of a file as soon as that has been loaded, and again whenever it
/// changes. Agents keep their ids, places and orders when their file changes. What the crowd cannot
/// take is told by [`Refused`].
///
/// ```no_run
/// # use bevy_asset::AssetServer;
/// # use bevy_ecs::prelude::*;
/// # use bevy_wayfare::prelude::*;
/// fn spawn(mut commands: Commands, assets: Res<AssetServer>) {
///     commands.spawn(SteerFrom2d::new(assets.load("wolves.toml#grey")));
/// }
/// ```
#[derive(Clone, Component, Debug, Reflect)]
#[reflect(opaque)]
#[reflect(Component, Clone, Debug)]
#[require(Transform)]
pub struct SteerFrom<V: Dimension = Vec2>(Handle<SteerFile<V>>);

/// [`SteerFrom`] in a plane, also on the ground.
pub type SteerFrom2d = SteerFrom<Vec2>;
/// [`SteerFrom`] in space.
pub type SteerFrom3d = SteerFrom<Vec3>;

impl<V: Dimension> SteerFrom<V> {
    /// The group of this file.
    pub fn new(group: Handle<SteerFile<V>>) -> Self {
        Self(group)
    }
}

/// The crowd has begun anew from a scene file.
#[derive(Clone, Copy, Debug, Event, PartialEq, Eq)]
pub struct SceneStarted;

/// A scene file is not what the crowd can start from.
#[derive(Clone, Debug, Event, PartialEq, Eq)]
pub struct SceneRefused {
    /// The problem and the allowed values, as the command `wayfare` shows them.
    pub reason: String,
}

/// Loads scene files; a [`WayfarePlugin`](crate::WayfarePlugin) of the same vectors has to be
/// there, and Bevy's `AssetPlugin` before it. Changed files are loaded again with Bevy's feature
/// `file_watcher`.
#[derive(Clone, Debug)]
pub struct WayfareScenePlugin<V: Dimension = Vec2> {
    registry: Registry,
    marker: PhantomData<fn() -> V>,
}

impl<V: Dimension> Default for WayfareScenePlugin<V> {
    fn default() -> Self {
        Self { registry: Registry::default(), marker: PhantomData }
    }
}

impl<V: Dimension> WayfareScenePlugin<V> {
    /// Files may name this behavior, as they name those of the library.
    ///
    /// # Errors
    /// Another behavior has its name.
    pub fn with_behavior<B>(mut self) -> Result<Self, NameTaken>
    where
        B: Behavior<V> + Parameters<V> + 'static,
    {
        self.registry.register::<V, B>()?;
        Ok(self)
    }
}

impl<V: SceneDimension> Plugin for WayfareScenePlugin<V> {
    fn build(&self, app: &mut App) {
        let systems = (start_scene::<V>, read_steer_files::<V>).chain();
        // A file may have groups of the plane or of space.
        app.init_asset::<SceneFile>()
            .init_asset::<SteerFile<Vec2>>()
            .init_asset::<SteerFile<Vec3>>()
            .register_type::<SteerFrom<V>>()
            .register_asset_loader(SceneLoader { registry: self.registry.clone() })
            .add_systems(PreUpdate, systems.after(AssetTrackingSystems));
    }
}

/// The vectors of a scene.
pub trait SceneDimension: Dimension {
    /// The setup of a scene with these vectors; else what the scene is.
    ///
    /// # Errors
    /// The scene has other vectors.
    fn setup(scene: &AnyScene) -> Result<&Setup<Self>, &'static str>;
}

impl SceneDimension for Vec2 {
    fn setup(scene: &AnyScene) -> Result<&Setup<Self>, &'static str> {
        match scene {
            AnyScene::TwoD(scene) => Ok(&scene.setup),
            AnyScene::ThreeD(_) => Err("the scene is in space; allowed: a scene in the plane"),
        }
    }
}

impl SceneDimension for Vec3 {
    fn setup(scene: &AnyScene) -> Result<&Setup<Self>, &'static str> {
        match scene {
            AnyScene::ThreeD(scene) => Ok(&scene.setup),
            AnyScene::TwoD(_) => Err("the scene is in the plane; allowed: a scene in space"),
        }
    }
}

/// Reads scene files.
#[derive(Debug, TypePath)]
struct SceneLoader {
    registry: Registry,
}

/// The problems of a scene file, as the command shows them.
#[derive(Debug)]
struct SceneError(String);

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for SceneError {}

impl AssetLoader for SceneLoader {
    type Asset = SceneFile;
    type Settings = ();
    type Error = SceneError;

    async fn load(
        &self,
        reader: &mut dyn Reader,
        (): &(),
        context: &mut LoadContext<'_>,
    ) -> Result<SceneFile, SceneError> {
        let path = context.path().path();
        let failed = |error: &dyn fmt::Display| SceneError(format!("{}: {error}", path.display()));
        let mut bytes = Vec::new();
        reader.read_to_end(&mut bytes).await.map_err(|error| failed(&error))?;
        let text = String::from_utf8(bytes).map_err(|error| failed(&error))?;
        let source = Source { name: path.display().to_string(), text };
        let scene = read_with(&source, Format::of(path), &self.registry);
        let scene = scene
            .map_err(|problems| SceneError(source.render(Severity::Error, &problems, false)))?;
        match &scene {
            AnyScene::TwoD(scene) => label_groups(&scene.setup, context),
            AnyScene::ThreeD(scene) => label_groups(&scene.setup, context),
        }
        Ok(SceneFile { scene })
    }

    fn extensions(&self) -> &[&str] {
        &["toml", "json"]
    }
}

/// The message of the error, without the names of loaders and a backtrace.
fn reason_of(error: &AssetLoadError) -> String {
    match error {
        AssetLoadError::AssetLoaderError(error) => {
            let ours = error.error().downcast_ref::<SceneError>();
            ours.map_or_else(|| error.to_string(), ToString::to_string)
        }
        other => other.to_string(),
    }
}

/// Makes an asset of each group of a file.
fn label_groups<V: Dimension>(setup: &Setup<V>, context: &mut LoadContext<'_>) {
    for group in &setup.groups {
        let steer = if group.stands_alone() {
            Ok(Steer::of_file(group.clone()))
        } else {
            Err(format!(
                "the group `{}` of the file refers to other groups, to paths or to fields of its \
                 scene; allowed: `\"order\"`, `\"pointer\"` and points as targets and paths, and \
                 all groups as neighbors",
                group.name
            ))
        };
        context.add_labeled_asset(group.name.clone(), SteerFile { steer });
    }
}

type SteerNews<'w, 's, V> = (
    MessageReader<'w, 's, AssetEvent<SteerFile<V>>>,
    MessageReader<'w, 's, AssetLoadFailedEvent<SteerFile<V>>>,
    MessageReader<'w, 's, AssetLoadFailedEvent<SceneFile>>,
);

/// Gives entities the [`Steer`] of their files, when those have been loaded and when they change.
fn read_steer_files<V: Dimension>(
    entities: Query<'_, '_, (Entity, Ref<'_, SteerFrom<V>>, Option<&Steer<V>>)>,
    changed: Query<'_, '_, (), Changed<SteerFrom<V>>>,
    files: Res<'_, Assets<SteerFile<V>>>,
    (mut events, mut of_groups, mut of_files): SteerNews<'_, '_, V>,
    mut told: Local<'_, HashMap<AssetPath<'static>, String>>,
    mut commands: Commands<'_, '_>,
) {
    // A file that is loaded for a group fails as that group, and later as a whole. A server tries
    // twice to load a changed file, and each attempt fails by itself.
    let of_groups = of_groups.read().map(|failed| (&failed.path, &failed.error));
    let of_files = of_files.read().map(|failed| (&failed.path, &failed.error));
    let mut failures = HashMap::new();
    for (path, error) in of_groups.chain(of_files) {
        let (path, reason) = (path.without_label().into_owned(), reason_of(error));
        if told.get(&path) != Some(&reason) {
            told.insert(path.clone(), reason.clone());
            failures.insert(path, reason);
        }
    }
    let news: Vec<AssetId<SteerFile<V>>> = { events.read() }
        .filter_map(|event| match event {
            AssetEvent::Added { id } | AssetEvent::Modified { id } => Some(*id),
            _ => None,
        })
        .collect();
    // Most frames have no news.
    if news.is_empty() && failures.is_empty() && changed.is_empty() {
        return;
    }
    let mut found: Vec<_> = entities.iter().collect();
    found.sort_unstable_by_key(|(entity, ..)| entity.index_u32());
    for (entity, from, there) in found {
        let file = from.0.path().map(|path| path.without_label().into_owned());
        if let Some(reason) = file.as_ref().and_then(|file| failures.get(file)) {
            commands.trigger(Refused { entity, reason: reason.clone() });
        }
        let is_news = news.contains(&from.0.id());
        if let Some(file) = file.filter(|_| is_news) {
            told.remove(&file);
        }
        if !from.is_changed() && !is_news {
            continue;
        }
        match files.get(&from.0).map(|file| &file.steer) {
            Some(Ok(steer)) if there.is_some_and(|there| there.is_of_same_file(steer)) => {}
            Some(Ok(steer)) => drop(commands.entity(entity).insert(steer.clone())),
            Some(Err(reason)) => {
                commands.trigger(Refused { entity, reason: reason.clone() });
            }
            None => {}
        }
    }
}

type News<'w, 's> = (
    MessageReader<'w, 's, AssetEvent<SceneFile>>,
    MessageReader<'w, 's, AssetLoadFailedEvent<SceneFile>>,
);

/// Begins the crowd anew when its scene has been loaded. `started` is the file that it has begun
/// from, or that it has refused.
fn start_scene<V: SceneDimension>(
    world: &mut World,
    news: &mut SystemState<News<'static, 'static>>,
    mut started: Local<'_, Option<AssetId<SceneFile>>>,
) {
    let Some(file) = world.get_resource::<WayfareScene<V>>().map(|scene| scene.file.id()) else {
        return;
    };
    let Ok((mut events, mut failures)) = news.get_mut(world) else { return };
    let has_changed = events.read().filter(|event| event.is_modified(file)).count() > 0;
    let failure = failures.read().filter(|failed| failed.id == file).last();
    let failure = failure.map(|failed| reason_of(&failed.error));
    if let Some(reason) = failure {
        world.trigger(SceneRefused { reason });
    }
    if *started == Some(file) && !has_changed {
        return;
    }
    let Some(files) = world.get_resource::<Assets<SceneFile>>() else { return };
    let Some(scene) = files.get(file).map(|file| V::setup(&file.scene).cloned()) else { return };
    *started = Some(file);
    match scene.map_err(str::to_string).and_then(|setup| start(world, setup)) {
        Ok(()) => world.trigger(SceneStarted),
        Err(reason) => world.trigger(SceneRefused { reason }),
    }
}

/// Begins the crowd anew.
fn start<V: Dimension>(world: &mut World, setup: Setup<V>) -> Result<(), String> {
    let dt = setup.dt;
    let Some(before) = world.get_resource::<WayfareCrowd<V>>() else {
        return Err("there is no crowd; allowed: after `WayfarePlugin`".to_string());
    };
    let crowd = before.anew(setup)?;
    let known: HashSet<Entity> =
        before.obstacles.keys().chain(before.paths.keys()).copied().collect();
    let mut there = world.query_filtered::<(Entity, Has<Steer<V>>), With<FromSetup>>();
    // Those of another crowd's setup stay.
    let there = there.iter(world).filter(|(entity, steers)| *steers || known.contains(entity));
    let of_setup: Vec<Entity> = there.map(|(entity, _)| entity).collect();
    for entity in of_setup {
        world.despawn(entity);
    }

    let mut agents = world.query_filtered::<(&SteeringId, Entity), With<Steer<V>>>();
    let mut agents: Vec<(u32, Entity)> =
        agents.iter(world).map(|(id, entity)| (id.0, entity)).collect();
    agents.sort_unstable();
    for (_, entity) in &agents {
        if let Some(mut id) = world.get_mut::<SteeringId>(*entity) {
            *id = SteeringId::default();
        }
    }
    let placed = |entities: Vec<Entity>| entities.into_iter().map(Placed::Inserted).collect();
    let obstacles = placed(entities_with::<Obstacle>(world));
    let paths = placed(entities_with::<SteerPath>(world));
    let goals = placed(entities_with::<FlowGoal>(world));
    let mut inbox = world.get_resource_or_init::<Inbox<V>>();
    let notes = &mut inbox.0;
    (notes.obstacles, notes.paths, notes.goals) = (obstacles, paths, goals);
    notes.population = agents.iter().map(|(_, entity)| Population::Enters(*entity)).collect();
    notes.settings.clear();
    world.insert_resource(crowd);
    if let Some(mut time) = world.get_resource_mut::<Time<Fixed>>() {
        time.set_timestep_seconds(dt);
    }
    Ok(())
}

/// The entities with a component, by their indices.
fn entities_with<C: Component>(world: &mut World) -> Vec<Entity> {
    let mut entities: Vec<Entity> = world.query_filtered::<Entity, With<C>>().iter(world).collect();
    entities.sort_unstable_by_key(|entity| entity.index_u32());
    entities
}
