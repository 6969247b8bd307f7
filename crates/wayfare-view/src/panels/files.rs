//! Files: a scene or a log is opened or dropped here, the scene is saved as it is written, and what
//! is shown leaves as a picture, an animation or rows.
//!
//! A window asks for a path instead of showing the system's dialog: a crate for those brings a
//! message bus and dozens of others along.

use std::time::Duration;

use eframe::egui::{self, Align2, Context, Key, Modifiers, RichText, TextEdit, Ui, Window, vec2};
use wayfare_scene::{Format, Severity, Source, bundled, text_in};

use crate::app::{Gallery, Shown};
use crate::platform::host;
use crate::render::theme::TOUCH;
use crate::session::export::{Film, Kind};
use crate::session::link::short_name;
use crate::session::scene::Outcome;

/// What is asked and what is on its way.
#[derive(Default)]
pub(crate) struct Files {
    /// Whether a window asks for a path, and what has been typed of it.
    asks: bool,
    path: String,
    /// Whether what can be done with files is shown.
    pub(crate) shown: bool,
    /// What is being written, its file's name, and what to say of it besides.
    film: Option<(Box<dyn Film>, String, String)>,
}

/// What can be done with files: its name for tests, what its button says, what it is for, and what
/// it does.
type Way = (&'static str, &'static str, &'static str, fn(&mut Gallery, &Context));

impl Gallery {
    /// What has been dropped and chosen, and a part of what is being written.
    pub(crate) fn files(&mut self, ui: &Ui) {
        let dropped = ui.input(|i| i.raw.dropped_files.clone());
        for file in dropped {
            if let Some(path) = host::dropped(ui.ctx(), file) {
                self.open_path(&path);
            }
        }
        for (name, bytes) in host::chosen() {
            self.open_bytes(&name, bytes);
        }
        if ui.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::O)) {
            self.ask(ui.ctx());
        }
        if ui.input_mut(|i| i.consume_key(Modifiers::COMMAND, Key::S)) {
            self.save_scene();
        }
        if let Some(trouble) = self.live().and_then(|live| live.trouble()) {
            self.notice = Some(trouble);
        }
        self.go_on_writing(ui.ctx());
        self.ask_window(ui.ctx());
        self.window(ui.ctx());
    }

    /// Asks which file is to be opened.
    pub(crate) fn ask(&mut self, ctx: &Context) {
        if !host::choose(ctx) {
            self.files.asks = !self.files.asks;
        }
    }

    fn ask_window(&mut self, ctx: &Context) {
        let (mut open, mut wanted) = (self.files.asks, false);
        Window::new("Open a scene or a log")
            .open(&mut open)
            .resizable(false)
            .collapsible(false)
            .show(ctx, |ui| {
                ui.label(
                    "The path of a scene (.toml, .json), or of a log (.jsonl) that is to be \
                     replayed; files can be dropped on the window as well.",
                );
                let field = TextEdit::singleline(&mut self.files.path)
                    .hint_text("scenes/mine.toml")
                    .desired_width(360.0)
                    .min_size(vec2(0.0, TOUCH));
                let field = ui.add(field);
                if self.files.path.is_empty() && !field.has_focus() {
                    field.request_focus();
                }
                let typed = field.lost_focus() && ui.input(|i| i.key_pressed(Key::Enter));
                wanted = typed
                    || ui.add(egui::Button::new("Open").min_size(vec2(TOUCH, TOUCH))).clicked();
            });
        self.files.asks = open;
        if wanted && !self.files.path.trim().is_empty() {
            let path = std::mem::take(&mut self.files.path);
            self.files.asks = false;
            self.open_path(path.trim());
        }
    }

    /// Opens the file at this path.
    fn open_path(&mut self, path: &str) {
        match wayfare_scene::text_of(std::path::Path::new(path)) {
            Ok(text) => self.open_text(path, text),
            Err(error) => self.notice = Some(error.to_string()),
        }
    }

    fn open_bytes(&mut self, name: &str, bytes: Vec<u8>) {
        match text_in(name, bytes) {
            Ok(text) => self.open_text(name, text),
            Err(error) => self.notice = Some(error.to_string()),
        }
    }

    /// Shows a scene, or replays a log on the one that is shown.
    fn open_text(&mut self, name: &str, text: String) {
        let ending = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match ending.as_str() {
            "toml" | "json" => {
                let format = if ending == "json" { Format::Json } else { Format::Toml };
                self.present(name, Ok(text), format, Vec::new());
            }
            "jsonl" => {
                let source = Source { name: name.to_string(), text };
                self.notice = Some(match self.live().map(|live| live.replay(&source)) {
                    Some(Ok(commands)) => {
                        self.came_of(Outcome::Anew);
                        self.playing = true;
                        format!("replays {commands} of {}", short_name(name))
                    }
                    Some(Err(problems)) => source.render(Severity::Error, &problems, false),
                    None => "open a scene first: a log is of a scene".to_string(),
                });
            }
            _ => {
                self.notice = Some(format!(
                    "{} is neither a scene nor a log\nallowed: a file that ends in .toml, .json \
                     or .jsonl",
                    short_name(name)
                ))
            }
        }
    }

    /// A file's name for what is shown, with this ending.
    fn file_name(&self, ending: &str) -> String {
        let name = short_name(&self.name);
        let stem = name
            .rsplit_once('.')
            .filter(|(_, end)| ["toml", "json"].contains(end))
            .map_or(name, |(stem, _)| stem);
        format!("{stem}.{ending}")
    }

    /// How the scene's text is written.
    fn ending(&self) -> &'static str {
        if self.name.ends_with(".json") { "json" } else { "toml" }
    }

    /// Saves the scene as it is written now.
    pub(crate) fn save_scene(&mut self) {
        let name = self.file_name(self.ending());
        if let Some(text) = self.live().map(|live| live.draft().text().to_string()) {
            self.notice = Some(host::save(&name, text.as_bytes()));
        }
    }

    /// Saves what was done as a log; beside it the scene that it began with, where nobody else has
    /// that.
    pub(crate) fn save_log(&mut self) {
        let (log_name, scene_name) = (self.file_name("jsonl"), self.file_name(self.ending()));
        let known = bundled(&self.name).map(|scene| scene.text);
        let Some((log, begun)) =
            self.live().map(|live| (live.log(), live.begun_with().to_string()))
        else {
            return;
        };
        if log.is_empty() {
            self.notice = Some("nothing was done yet".to_string());
            return;
        }
        let mut said = host::save(&log_name, log.as_bytes());
        if known != Some(begun.as_str()) {
            said = format!(
                "{said}; the scene that it replays on: {}",
                host::save(&scene_name, begun.as_bytes())
            );
        }
        self.notice = Some(said);
    }

    fn window(&mut self, ctx: &Context) {
        let mut open = self.files.shown;
        let mut wish: Option<fn(&mut Self, &Context)> = None;
        Window::new("File")
            .open(&mut open)
            .resizable(false)
            .collapsible(false)
            .anchor(Align2::RIGHT_TOP, [-8.0, 44.0])
            .show(ctx, |ui| {
                let ways: [Way; 7] = [
                    (
                        "open",
                        "Open",
                        "a scene, or a log to be replayed (Ctrl+O)",
                        |gallery, ctx| gallery.ask(ctx),
                    ),
                    ("link", "Copy link", "to the scene as it is now (K)", |gallery, ctx| {
                        gallery.copy_link(ctx)
                    }),
                    (
                        "save-scene",
                        "Save scene",
                        "its text, as it is written now (Ctrl+S)",
                        |gallery, _| gallery.save_scene(),
                    ),
                    (
                        "save-log",
                        "Save log",
                        "what you did, for `wayfare run --input` (S)",
                        |gallery, _| gallery.save_log(),
                    ),
                    ("save-png", "Save PNG", "a picture of this moment", |gallery, _| {
                        gallery.save_picture()
                    }),
                    (
                        "save-gif",
                        "Save GIF",
                        "an animation from the start until now",
                        |gallery, _| gallery.begin_writing(Kind::Gif),
                    ),
                    (
                        "save-csv",
                        "Save CSV",
                        "where everybody was, from the start until now",
                        |gallery, _| gallery.begin_writing(Kind::Csv),
                    ),
                ];
                for (name, text, what, way) in ways {
                    ui.horizontal(|ui| {
                        let button = ui.add(
                            egui::Button::new(RichText::new(text).strong())
                                .min_size(vec2(92.0, TOUCH)),
                        );
                        host::place(name, button.rect);
                        if button.clicked() {
                            wish = Some(way);
                        }
                        ui.label(what);
                    });
                }
            });
        self.files.shown = open && wish.is_none();
        if let Some(way) = wish {
            way(self, ctx);
        }
    }

    fn save_picture(&mut self) {
        let name = self.file_name("png");
        let Some(picture) = self.live().map(|live| live.picture()) else { return };
        self.notice =
            Some(picture.map_or_else(|problem| problem, |bytes| host::save(&name, &bytes)));
    }

    /// Begins to run the scene again, from the start, and to write what is seen.
    fn begin_writing(&mut self, kind: Kind) {
        if let Some((_, name, _)) = &self.files.film {
            self.notice = Some(format!("{name} is still being written"));
            return;
        }
        let name = self.file_name(kind.ending());
        match self.live().map(|live| live.film(kind)) {
            Some(Ok((film, said))) => self.files.film = Some((film, name, said)),
            Some(Err(problem)) => self.notice = Some(problem),
            None => {}
        }
    }

    /// As much of it as a frame has room for.
    fn go_on_writing(&mut self, ctx: &Context) {
        const ROOM: f64 = 0.012;
        let Some((mut film, name, said)) = self.files.film.take() else { return };
        if matches!(self.shown, Shown::Nothing { .. }) {
            return;
        }
        let began = host::seconds();
        loop {
            match film.go_on() {
                Err(problem) => return self.notice = Some(format!("{name}: {problem}")),
                Ok(Some(bytes)) => return self.notice = Some(host::save(&name, &bytes) + &said),
                Ok(None) if host::seconds() - began > ROOM => break,
                Ok(None) => {}
            }
        }
        self.notice = Some(format!("{name}: {} %", (100.0 * film.part()) as u32));
        self.files.film = Some((film, name, said));
        ctx.request_repaint_after(Duration::ZERO);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::gpu_agents::Swarm;

    fn gallery(scene: &str) -> Gallery {
        let mut gallery = Gallery::with(Swarm::new(None));
        gallery.show(scene);
        gallery
    }

    /// A gallery in which somebody did something, at tick 40.
    fn touched(scene: &str) -> Gallery {
        let mut gallery = gallery(scene);
        let live = gallery.live().unwrap();
        for tick in 0..40 {
            if tick == 7 {
                live.add(egui::pos2(50.0, 60.0));
                live.fire(egui::pos2(300.0, 200.0));
            }
            live.step(Some(egui::pos2(200.0 + tick as f32, 100.0)));
        }
        gallery
    }

    #[test]
    fn a_log_that_is_opened_replays_to_the_same_digest_whatever_the_mouse_does() {
        for scene in ["seek", "captain"] {
            let mut first = touched(scene);
            let (log, digest) = (first.live().unwrap().log(), first.live().unwrap().digest());
            let mut again = gallery(scene);
            again.live().unwrap().step(Some(egui::pos2(1.0, 1.0)));
            again.open_text("touched.jsonl", log.clone());
            let live = again.live().unwrap();
            (0..40).for_each(|_| live.step(Some(egui::pos2(9.0, 9.0))));
            assert_eq!((live.digest(), live.log()), (digest, log.clone()), "{scene}");
            assert_eq!(live.trouble(), None);
            // Back and forth while it is replayed, and another way from its middle.
            again.open_text("touched.jsonl", log.clone());
            let live = again.live().unwrap();
            (0..20).for_each(|_| live.step(None));
            assert!(live.replays() && live.known() == (0, 20) && live.log() == log);
            live.go_to(3);
            (3..40).for_each(|_| live.step(None));
            assert_eq!((live.digest(), live.replays()), (digest, false), "{scene}");
            live.go_to(30);
            live.forget_later();
            live.step(Some(egui::pos2(9.0, 9.0)));
            assert!(!live.replays() && live.log() != log && live.digest() != digest);
        }
    }

    #[test]
    fn what_cannot_be_opened_is_told_with_its_name_and_what_can() {
        let mut gallery = gallery("seek");
        for (name, bytes, what) in [
            ("a/b.txt", &b"x"[..], "b.txt is neither a scene nor a log"),
            ("b.toml", b"\xff", "b.toml:1:1: the byte 0xff is not UTF-8"),
            ("c.jsonl", b"{}", "c.jsonl"),
        ] {
            gallery.open_bytes(name, bytes.to_vec());
            let notice = gallery.notice.take().unwrap();
            assert!(
                notice.contains(what) && (name == "c.jsonl" || notice.contains("allowed:")),
                "{notice}"
            );
            assert_eq!(gallery.name, "seek");
        }
        gallery.open_bytes("c.jsonl", b"{\"tick\": 0, \"remove\": 99}".to_vec());
        let live = gallery.live().unwrap();
        live.step(None);
        assert!(live.trouble().unwrap().contains("another scene") && live.trouble().is_none());
        gallery.open_bytes("mine.json", b"{\"title\": \"Mine\", \"group\": [{\"name\": \"a\", \"spawn\": {\"points\": [[0, 0]]}, \"max_speed\": 1}]}".to_vec());
        assert_eq!(gallery.live().unwrap().title(), "Mine");
        assert_eq!(gallery.file_name("png"), "mine.png");
        gallery.open_bytes("bad.toml", b"sed = 7".to_vec());
        assert!(
            matches!(&gallery.shown, Shown::Nothing { problem, .. } if problem.contains("bad.toml:1:1"))
        );
    }

    #[test]
    fn a_film_is_the_run_again_with_all_that_was_done() {
        let mut gallery = touched("captain");
        let live = gallery.live().unwrap();
        let run = |kind| {
            let (mut film, said) = live.film(kind).unwrap();
            assert_eq!(said, "");
            std::iter::from_fn(|| Some(film.go_on().unwrap())).take(100).flatten().next().unwrap()
        };
        assert!(
            run(Kind::Gif).starts_with(b"GIF89a")
                && live.picture().unwrap().starts_with(b"\x89PNG")
        );
        let rows = String::from_utf8(run(Kind::Csv)).unwrap();
        let last: Vec<_> = rows.lines().filter(|row| row.starts_with("40,")).collect();
        assert_eq!(last.len(), live.len());
        let at = live.place_of(0).unwrap();
        let fields: Vec<_> = last[0].split(',').collect();
        assert_eq!((fields[4].parse(), fields[5].parse()), (Ok(at.x), Ok(at.y)));
    }

    #[test]
    fn a_film_of_a_large_crowd_ends_early_and_says_so() {
        let mut gallery = gallery("flock-2000-2d");
        let (film, said) = gallery.live().unwrap().film(Kind::Csv).unwrap();
        assert!(said.is_empty() && film.part() == 0.0);
        let crowd =
            wayfare::Crowd::<wayfare::glam::Vec2>::new(wayfare::crowd::Setup::default()).unwrap();
        let (_, said) = crate::session::export::film(
            Kind::Gif,
            "",
            None,
            crowd,
            wayfare_scene::Log::default(),
            9_000,
        )
        .unwrap();
        assert!(said.contains("of 9000 ticks the first 6000"), "{said}");
    }
}
