//! Showing, restarting, changing and comparing scenes.

use std::path::Path;

use wayfare::crowd::KeyPath;
use wayfare_scene::{Files, Format, Problem, Severity, Source, bundled, bundled_like, text_of};

use crate::action::{Pane, SidePanel};
use crate::app::{Gallery, Shown, ShownScene};
use crate::panels::agent::AgentPanel;
use crate::panels::settings::Settings;
use crate::panels::text::Editor;
use crate::panels::tour::steps::Forces;
use crate::platform::services;
use crate::session::catalog::description;
use crate::session::edit::{Edit, Outcome};
use crate::session::link;
use crate::session::open::{open, open_beside, reopen};

impl Gallery {
    /// Shows a bundled scene, or the file at a path.
    pub(super) fn show(&mut self, name: &str) {
        let (mut similar, mut files) = (Vec::new(), Files::none());
        let (text, format) = match bundled(name) {
            Some(scene) => (Ok(scene.text.to_string()), Format::Toml),
            None if !cfg!(target_arch = "wasm32") && Path::new(name).exists() => {
                files = Files::beside(Path::new(name));
                (text_of(Path::new(name)).map_err(|e| e.to_string()), Format::of(Path::new(name)))
            }
            None => {
                similar = bundled_like(name);
                let file = if cfg!(target_arch = "wasm32") { "." } else { ", and no such file." };
                (Err(format!("There is no scene called “{name}”{file}")), Format::Toml)
            }
        };
        self.present(name, text, (format, files), similar);
    }

    /// Shows the scene of a text and of the files that it may name, or the reason why there is none
    /// with similar scenes.
    pub(super) fn present(
        &mut self,
        name: &str,
        text: Result<String, String>,
        (format, files): (Format, Files),
        similar: Vec<&'static str>,
    ) {
        self.name = bundled(name).map_or(name, |scene| scene.name).to_string();
        let opened = text.and_then(|text| {
            let session = open_beside(name, &text, format, files)?;
            let world = session.world();
            Ok(ShownScene { session, description: description(&text), world })
        });
        self.shown = match opened {
            Ok(scene) => {
                self.panels.controls.seed = scene.session.seed().to_string();
                Shown::Scene(scene)
            }
            Err(problem) => Shown::Problem { problem, similar },
        };
        self.playback.start();
        self.display.reset();
        self.press.cancel();
        (self.mouse, self.notice) = (None, None);
        (self.panels.unfolded, self.panels.list.scroll_to_scene) = (false, true);
        (self.panels.settings, self.panels.editor) = (Settings::default(), Editor::default());
        self.panels.plots.reset();
        self.panels.agent = AgentPanel::default();
        self.heat.iter_mut().for_each(|heat| heat.clear());
        services::set_address_parameter("scene", Some(&self.name));
        services::set_address_parameter("text", None);
        self.end_comparison();
        self.panels.tour.scene_opened(&self.name);
        self.report_tour_step();
    }

    /// Shows the scene of a link: an edit of the bundled scene of that name, if there is one.
    pub(super) fn show_shared(&mut self, name: &str, encoded: &str) {
        let text = link::decode(encoded);
        if bundled(name).is_none() || text.is_err() {
            self.present(name, text, (format_of(name), Files::none()), Vec::new());
        } else if let Ok(text) = text {
            self.show(name);
            let source = Source { name: self.name.clone(), text: text.clone() };
            match self.session().map(|session| session.replace_text(text, true)) {
                Some(Ok(outcome)) => self.apply_outcome(Pane::First, outcome),
                Some(Err(problems)) => {
                    self.shown = Shown::Problem {
                        problem: source.render(Severity::Error, &problems, false),
                        similar: bundled(name).map(|scene| scene.name).into_iter().collect(),
                    };
                }
                None => {}
            }
        }
        services::set_address_parameter("text", Some(encoded));
    }

    /// Shows the scene that is `by` places further in the list.
    pub(super) fn show_next(&mut self, by: isize) {
        let count = self.catalog.len() as isize;
        let now = self.catalog.iter().position(|entry| entry.scene.name == self.name);
        let next = now.map_or(0, |i| i as isize + by);
        self.show(self.catalog[next.rem_euclid(count) as usize].scene.name);
    }

    /// The format of the scene's text.
    pub(super) fn format(&self) -> Format {
        format_of(&self.name)
    }

    /// Does what follows from a change of a scene.
    pub(super) fn apply_outcome(&mut self, pane: Pane, outcome: Outcome) {
        match outcome {
            Outcome::Unchanged | Outcome::Applied => {
                self.update_description();
                return;
            }
            Outcome::Restarted => {}
            Outcome::Reopen(reopening) => {
                match (reopen(*reopening), pane, &mut self.shown) {
                    (Err(problem), ..) => return self.notice = Some(problem),
                    (Ok(session), Pane::First, Shown::Scene(scene)) => scene.session = session,
                    (Ok(session), ..) => {
                        if let Some(second) = self.comparison.second_mut() {
                            second.session = session;
                        }
                    }
                }
                self.display.view = Default::default();
            }
        }
        self.after_restart(pane);
    }

    /// Both scenes of a comparison start again with one seed: that of the scene in `pane`, which
    /// has started again already.
    fn after_restart(&mut self, pane: Pane) {
        self.playback.drop_due_ticks();
        self.press.cancel();
        self.mouse = None;
        self.panels.plots.clear();
        self.heat.iter_mut().for_each(|heat| heat.clear());
        let Some(seed) = self.session_in(pane).map(|session| session.seed()) else { return };
        if let Shown::Scene(scene) = &mut self.shown {
            if pane == Pane::Second {
                scene.session.restart(seed);
            }
            scene.world = scene.session.world();
        }
        self.panels.controls.seed = seed.to_string();
        self.comparison.restart(seed);
        self.update_description();
    }

    fn update_description(&mut self) {
        if let Shown::Scene(scene) = &mut self.shown {
            scene.description = description(scene.session.draft().text());
        }
    }

    /// Starts again. A seed that was typed becomes that of the scene's text, as one in the settings
    /// does, so that links and files carry it.
    pub(super) fn restart(&mut self) {
        let typed = std::mem::take(&mut self.panels.controls.seed);
        let Some(session) = self.session() else { return };
        let seed = session.seed();
        let outcome = match typed.trim().parse::<u64>() {
            Ok(new) if new != seed => session
                .edit(&Edit::Set(KeyPath::default().key("seed"), new.into()), true)
                .map_err(|error| error.to_string()),
            Ok(_) => {
                session.restart(seed);
                Ok(Outcome::Restarted)
            }
            Err(_) => Err(format!(
                "the seed is “{}”\nallowed: a whole number from 0 to {}",
                typed.trim(),
                u64::MAX
            )),
        };
        match outcome {
            Ok(_) => self.after_restart(Pane::First),
            Err(problem) => {
                self.panels.controls.seed = seed.to_string();
                self.notice = Some(problem);
            }
        }
    }

    pub(super) fn edit(&mut self, edit: &Edit, new_step: bool) {
        let Some(result) = self.session().map(|session| session.edit(edit, new_step)) else {
            return;
        };
        self.panels.settings.set_refused(result.as_ref().err().cloned());
        if let Ok(outcome) = result {
            self.apply_outcome(Pane::First, outcome);
        }
    }

    pub(super) fn replace_text(&mut self, text: String, new_step: bool) {
        let Some(result) = self.session().map(|session| session.replace_text(text, new_step))
        else {
            return;
        };
        let (outcome, mistakes): (Option<Outcome>, Result<(), Vec<Problem>>) = match result {
            Ok(outcome) => (Some(outcome), Ok(())),
            Err(problems) => (None, Err(problems)),
        };
        self.panels.editor.set_result(mistakes);
        if let Some(outcome) = outcome {
            self.apply_outcome(Pane::First, outcome);
        }
    }

    pub(super) fn undo(&mut self) {
        if let Some(pane) = self.pane_to_undo()
            && let Some(outcome) = self.session_in(pane).map(|session| session.undo())
        {
            self.apply_outcome(pane, outcome);
        }
    }

    /// Runs one tick and pauses.
    pub(super) fn single_step(&mut self) {
        self.playback.pause();
        let mouse = self.mouse;
        if let Shown::Scene(scene) = &mut self.shown {
            self.comparison.step(scene.session.as_mut(), mouse);
        }
        self.sample();
    }

    /// Goes to a known tick of both scenes and pauses.
    pub(super) fn go_to(&mut self, tick: u64) {
        self.playback.pause();
        self.press.cancel();
        self.with_session(Pane::First, |session| session.go_to(tick));
        self.comparison.go_to(tick);
    }

    /// Takes the samples of plots and heat maps at this tick, if they are shown.
    pub(super) fn sample(&mut self) {
        let Shown::Scene(scene) = &mut self.shown else { return };
        if self.panels.side == Some(SidePanel::Plots) {
            self.panels.plots.sample(scene.session.as_mut(), self.display.plotted());
        }
        self.heat[0].sample(scene.session.as_ref(), scene.world);
        if let Some(second) = self.comparison.second() {
            self.heat[1].sample(second.session.as_ref(), second.world);
        }
    }

    /// Compares with a bundled scene, or with the scene itself; both start again.
    pub(super) fn compare_with(&mut self, name: &str) {
        let Shown::Scene(scene) = &self.shown else { return };
        let opened = match bundled(name) {
            Some(bundled) => open(name, bundled.text, Format::Toml),
            None if name == self.name => {
                let draft = scene.session.draft();
                open_beside(name, draft.text(), self.format(), draft.files().clone())
            }
            None => Err(format!("There is no scene called “{name}” to compare with.")),
        };
        match opened {
            Ok(session) => {
                let name = bundled(name).map_or(name, |scene| scene.name).to_string();
                services::set_address_parameter("compare", Some(&name));
                self.comparison.start(name, session);
                self.over_second = false;
                self.restart();
                self.playback.playing = true;
                self.display.fit();
            }
            Err(problem) => self.notice = Some(problem),
        }
    }

    pub(super) fn end_comparison(&mut self) {
        self.comparison.end();
        services::set_address_parameter("compare", None);
    }

    /// Shows a step of the tour by index.
    pub(super) fn show_tour_step(&mut self, step: usize) {
        self.panels.tour.go_to(step);
        self.start_tour_step();
    }

    /// Shows the scene of the tour's step, and what should be seen in it.
    pub(super) fn start_tour_step(&mut self) {
        let step = self.panels.tour.start();
        self.show(step.scene);
        (self.display.forces, self.display.trails) = (step.forces != Forces::None, step.trails);
        self.display.selected = if let Forces::Of(id) = step.forces { Some(id) } else { None };
        // The card takes the room of the list.
        self.panels.list.open = Some(false);
    }

    pub(super) fn end_tour(&mut self) {
        self.panels.tour.end();
        self.panels.list.open = None;
        self.report_tour_step();
    }

    fn report_tour_step(&self) {
        let number = self.panels.tour.number().map(|number| number.to_string());
        services::set_address_parameter("tour", number.as_deref());
    }
}

/// The format of a scene file by its name.
fn format_of(name: &str) -> Format {
    if name.ends_with(".json") { Format::Json } else { Format::Toml }
}
