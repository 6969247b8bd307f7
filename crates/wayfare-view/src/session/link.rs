//! A link that carries a scene: its text is compressed (deflate), written in letters that an
//! address takes (base64url), and read back.

use std::io::{Read, Write};

use data_encoding::BASE64URL_NOPAD;
use eframe::egui::Context;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use wayfare_scene::{Format, LARGEST_FILE, Severity, bundled, counted};

use crate::app::{Gallery, Shown};
use crate::platform::host;

/// What stands in the address for `text`.
pub(crate) fn packed(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Memory takes all that is written to it.
    let bytes =
        encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default();
    BASE64URL_NOPAD.encode(&bytes)
}

/// The text that [`packed`] made this of; never more than a scene's file may have.
///
/// # Errors
/// What is wrong with it.
pub(crate) fn unpacked(packed: &str) -> Result<String, String> {
    let allowed = "allowed: what “Copy link” wrote after `text=`, all of it";
    let broken =
        |what: String| format!("The scene in this link cannot be read: {what}.\n{allowed}");
    let bytes = BASE64URL_NOPAD.decode(packed.as_bytes()).map_err(|error| {
        match packed.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
            Some(letter) => broken(format!("it has the letter “{letter}”")),
            None => {
                broken(format!("after {} it ends in the middle", counted(error.position, "letter")))
            }
        }
    })?;
    let mut text = Vec::new();
    DeflateDecoder::new(&bytes[..])
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut text)
        .map_err(|_| broken("it is not whole".to_string()))?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(format!(
            "The scene in this link is too large.\nallowed: a text of at most {} MiB",
            LARGEST_FILE >> 20
        ));
    }
    String::from_utf8(text).map_err(|_| broken("it is no text".to_string()))
}

/// The part of an address that opens this scene; the text only where it is not the bundled one.
pub(crate) fn query(name: &str, text: &str) -> String {
    let name = short_name(name);
    let mut encoded = String::new();
    for byte in name.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.".contains(&byte) {
            encoded.push(byte.into())
        } else {
            encoded += &format!("%{byte:02X}")
        }
    }
    if bundled(name).is_some_and(|scene| scene.text == text) {
        format!("?scene={encoded}")
    } else {
        format!("?scene={encoded}&text={}", packed(text))
    }
}

/// A file's name without its folders.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

impl Gallery {
    /// Opens the scene that a link carries; what is bundled under its name counts as the scene as
    /// it was opened.
    pub(crate) fn show_shared(&mut self, name: &str, packed: &str) {
        let text = unpacked(packed);
        if bundled(name).is_none() || text.is_err() {
            let format = if name.ends_with(".json") { Format::Json } else { Format::Toml };
            self.present(name, text, format, Vec::new());
        } else if let Ok(text) = text {
            self.show(name);
            let source = wayfare_scene::Source { name: self.name.clone(), text: text.clone() };
            match self.live().map(|live| live.retype(text, true)) {
                Some(Ok(outcome)) => self.came_of(outcome),
                Some(Err(problems)) => {
                    self.shown = Shown::Nothing {
                        problem: source.render(Severity::Error, &problems, false),
                        meant: bundled(name).map(|scene| scene.name).into_iter().collect(),
                    };
                }
                None => {}
            }
        }
        host::asked("text", Some(packed));
    }

    /// Puts a link to the scene as it is now into the clipboard.
    pub(crate) fn copy_link(&mut self, ctx: &Context) {
        let name = self.name.clone();
        let Some(query) = self.live().map(|live| query(&name, live.draft().text())) else { return };
        let (link, said) = host::link(&query);
        ctx.copy_text(link);
        self.notice = Some(said.to_string());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::render::gpu_agents::Swarm;

    const EDITED: &str = "title = \"Größer\" # ein Kommentar\n[[group]]\nname = \"a\"\ncount = \
                          7\nmax_speed = 2\nspawn = { circle = { center = [0, 0], radius = 9 } }\n";

    #[test]
    fn a_text_comes_back_as_it_was_and_its_link_has_only_letters_that_addresses_take() {
        for text in ["", EDITED, &EDITED.repeat(300)]
            .into_iter()
            .chain(wayfare_scene::BUNDLED.iter().map(|scene| scene.text))
        {
            let packed = packed(text);
            assert_eq!(unpacked(&packed).as_deref(), Ok(text));
            assert!(packed.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
            assert!(
                packed.len() < text.len() / 4 * 3 || text.len() < 1_000,
                "{} of {}",
                packed.len(),
                text.len()
            );
        }
    }

    #[test]
    fn what_is_no_packed_text_is_told_and_what_would_fill_the_memory_is_not_unpacked() {
        assert!(unpacked("a+b").unwrap_err().contains("“+”"));
        let half = packed(EDITED);
        let half = &half[..half.len() / 2];
        for broken in [half, "x", "AAAA", "____"] {
            let error = unpacked(broken).unwrap_err();
            assert!(
                error.contains("cannot be read") && error.contains("allowed:"),
                "{broken}: {error}"
            );
        }
        // Seventeen times a MiB of the same in few bytes.
        let bomb = packed(&"a".repeat((17 << 20) + 1));
        assert!(bomb.len() < 100_000 && unpacked(&bomb).unwrap_err().contains("at most 16 MiB"));
    }

    #[test]
    fn a_link_names_a_bundled_scene_and_carries_only_what_was_edited() {
        let seek = bundled("seek").unwrap();
        assert_eq!(query("seek", seek.text), "?scene=seek");
        assert_eq!(
            query("/home/me/my scene&.toml", EDITED),
            format!("?scene=my%20scene%26.toml&text={}", packed(EDITED))
        );
        assert!(query("seek", EDITED).starts_with("?scene=seek&text="));
    }

    #[test]
    fn a_shared_scene_opens_as_a_draft_of_the_bundled_one_and_undo_goes_back_to_that() {
        let mut gallery = Gallery::with(Swarm::new(None));
        gallery.show_shared("seek", &packed(EDITED));
        assert_eq!(gallery.name, "seek");
        let live = gallery.live().unwrap();
        assert_eq!((live.title(), live.len()), ("Größer", 7));
        let alone = crate::session::scene::open("a", EDITED, Format::Toml).unwrap().digest();
        let live = gallery.live().unwrap();
        assert_eq!((live.digest(), live.begun_with()), (alone, EDITED));
        let outcome = live.edit(&crate::session::scene::Edit::RestoreAll, true).unwrap();
        gallery.came_of(outcome);
        assert_eq!(gallery.live().unwrap().draft().text(), bundled("seek").unwrap().text);
        // A scene of one's own is what it was opened as.
        gallery.show_shared("mine.toml", &packed(EDITED));
        let live = gallery.live().unwrap();
        assert!(live.title() == "Größer" && !live.can_undo());
    }

    #[test]
    fn a_link_that_is_broken_or_carries_mistakes_gets_the_page_that_says_so() {
        let mut gallery = Gallery::with(Swarm::new(None));
        for (name, text, what) in [
            ("seek", "x".to_string(), "cannot be read"),
            ("seek", packed("sed = 7\n"), "seed"),
            ("my.toml", packed("sed = 7\n"), "my.toml"),
        ] {
            gallery.show_shared(name, &text);
            assert!(
                matches!(&gallery.shown, Shown::Nothing { problem, .. } if problem.contains(what)),
                "{name}"
            );
        }
    }
}
