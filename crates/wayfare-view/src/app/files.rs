//! Opening, saving and exporting.

use eframe::egui::Context;
use wayfare_record::output::Format as OutputFormat;
use wayfare_scene::{Files, Format, Severity, Source, bundled, text_in, text_of};

use crate::action::Pane;
use crate::app::{ExportJob, Gallery, Shown};
use crate::platform::services;
use crate::session::edit::Outcome;
use crate::session::link;

/// Time that an export may take in a frame (seconds).
const EXPORT_BUDGET: f64 = 0.012;

impl Gallery {
    /// Opens the file at a path.
    pub(super) fn open_path(&mut self, path: &str) {
        match text_of(std::path::Path::new(path)) {
            Ok(text) => {
                self.open_text_beside(path, text, Files::beside(std::path::Path::new(path)))
            }
            Err(error) => self.notice = Some(error.to_string()),
        }
    }

    /// Opens a file that was read already.
    pub(super) fn open_file(&mut self, name: &str, bytes: Vec<u8>) {
        match text_in(name, bytes) {
            Ok(text) => self.open_text(name, text),
            Err(error) => self.notice = Some(error.to_string()),
        }
    }

    /// Shows a scene that names no files, or replays a log on the present scene.
    pub(super) fn open_text(&mut self, name: &str, text: String) {
        self.open_text_beside(name, text, Files::none());
    }

    /// Shows a scene with the files that it may name, or replays a log on the present scene.
    fn open_text_beside(&mut self, name: &str, text: String, files: Files) {
        let extension = name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
        match extension.as_str() {
            "toml" => self.present(name, Ok(text), (Format::Toml, files), Vec::new()),
            "json" => self.present(name, Ok(text), (Format::Json, files), Vec::new()),
            "jsonl" => {
                let source = Source { name: name.to_string(), text };
                self.notice = Some(match self.session().map(|session| session.replay(&source)) {
                    Some(Ok(commands)) => {
                        self.apply_outcome(Pane::First, Outcome::Restarted);
                        self.playback.playing = true;
                        format!("replays {commands} of {}", link::short_name(name))
                    }
                    Some(Err(problems)) => source.render(Severity::Error, &problems, false),
                    None => "open a scene first: a log belongs to a scene".to_string(),
                });
            }
            _ => {
                self.notice = Some(format!(
                    "{} is neither a scene nor a log\nallowed: a file that ends in .toml, .json \
                     or .jsonl",
                    link::short_name(name)
                ))
            }
        }
    }

    /// A file name for the scene with this extension.
    pub(super) fn file_name(&self, extension: &str) -> String {
        let name = link::short_name(&self.name);
        let stem = name
            .rsplit_once('.')
            .filter(|(_, end)| ["toml", "json"].contains(end))
            .map_or(name, |(stem, _)| stem);
        format!("{stem}.{extension}")
    }

    fn scene_file_name(&self) -> String {
        self.file_name(match self.format() {
            Format::Json => "json",
            Format::Toml => "toml",
        })
    }

    /// Saves the scene's present text.
    pub(super) fn save_scene(&mut self) {
        let name = self.scene_file_name();
        if let Some(text) = self.session().map(|session| session.draft().text().to_string()) {
            self.notice = Some(services::save(&name, text.as_bytes()));
        }
    }

    /// Saves the log, and the scene that it replays on unless that is the bundled one.
    pub(super) fn save_log(&mut self) {
        let (log_name, scene_name) = (self.file_name("jsonl"), self.scene_file_name());
        let bundled = bundled(&self.name).map(|scene| scene.text);
        let Some(session) = self.session() else { return };
        let (log, start) = (session.log(), session.starting_text().to_string());
        if log.is_empty() {
            self.notice = Some("there is nothing in the log yet".to_string());
            return;
        }
        let mut notice = services::save(&log_name, log.as_bytes());
        if bundled != Some(start.as_str()) {
            let scene = services::save(&scene_name, start.as_bytes());
            notice = format!("{notice}; the scene that it replays on: {scene}");
        }
        self.notice = Some(notice);
    }

    /// Begins a file of the run until now.
    pub(super) fn begin_export(&mut self, format: &'static OutputFormat) {
        if let Some(job) = &self.exporting {
            self.notice = Some(format!("{} is still being written", job.file_name));
            return;
        }
        let file_name = self.file_name(format.extension);
        match self.session().map(|session| session.export(format)) {
            Some(Ok((export, remark))) => {
                self.exporting = Some(ExportJob { export, file_name, remark })
            }
            Some(Err(problem)) => self.notice = Some(problem),
            None => {}
        }
    }

    /// Continues an export for the time that a frame has room for.
    pub(super) fn advance_export(&mut self, ctx: &Context) {
        let Some(mut job) = self.exporting.take() else { return };
        if matches!(self.shown, Shown::Problem { .. }) {
            return;
        }
        let name = &job.file_name;
        let began = services::seconds();
        loop {
            match job.export.advance() {
                Err(problem) => return self.notice = Some(format!("{name}: {problem}")),
                Ok(Some(bytes)) => {
                    return self.notice = Some(services::save(name, &bytes) + &job.remark);
                }
                Ok(None) if services::seconds() - began > EXPORT_BUDGET => break,
                Ok(None) => {}
            }
        }
        self.notice = Some(format!("{name}: {} %", (100.0 * job.export.progress()) as u32));
        self.exporting = Some(job);
        ctx.request_repaint();
    }

    /// Copies a link to the scene with its present text.
    pub(super) fn copy_link(&mut self, ctx: &Context) {
        let name = self.name.clone();
        let Some(session) = self.session() else { return };
        let query = link::query(&name, session.draft().text());
        let (link, message) = services::link(&query);
        ctx.copy_text(link);
        self.notice = Some(message.to_string());
    }
}
