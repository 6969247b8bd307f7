//! Links that carry a scene: its text is compressed (deflate) and encoded in characters that are
//! allowed in an address (base64url).

use std::io::{Read, Write};

use data_encoding::BASE64URL_NOPAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use wayfare_scene::{LARGEST_FILE, bundled, counted};

/// Encodes a text for an address.
pub(crate) fn encode(text: &str) -> String {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // Writing to memory does not fail.
    let bytes =
        encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default();
    BASE64URL_NOPAD.encode(&bytes)
}

/// Decodes what [`encode`] made, up to the largest size of a scene file.
///
/// # Errors
/// Why this is not an encoded text.
pub(crate) fn decode(encoded: &str) -> Result<String, String> {
    let allowed = "allowed: what “Copy link” wrote after `text=`, all of it";
    let broken =
        |mistake: String| format!("The scene in this link cannot be read: {mistake}.\n{allowed}");
    let bytes = BASE64URL_NOPAD.decode(encoded.as_bytes()).map_err(|error| {
        match encoded.chars().find(|c| !c.is_ascii_alphanumeric() && !"-_".contains(*c)) {
            Some(letter) => broken(format!("it contains the character “{letter}”")),
            None => {
                broken(format!("it ends too early, after {}", counted(error.position, "character")))
            }
        }
    })?;
    let mut text = Vec::new();
    DeflateDecoder::new(&bytes[..])
        .take(LARGEST_FILE + 1)
        .read_to_end(&mut text)
        .map_err(|_| broken("it is incomplete".to_string()))?;
    if text.len() as u64 > LARGEST_FILE {
        return Err(format!(
            "The scene in this link is too large.\nallowed: a text of at most {} MiB",
            LARGEST_FILE >> 20
        ));
    }
    String::from_utf8(text).map_err(|_| broken("it is not text".to_string()))
}

/// The query part of an address that opens this scene; it has the text only if that differs from
/// the bundled one.
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
        format!("?scene={encoded}&text={}", encode(text))
    }
}

/// A file name without its folders.
pub(crate) fn short_name(name: &str) -> &str {
    name.rsplit(['/', '\\']).next().unwrap_or(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const EDITED: &str = "title = \"Größer\" # ein Kommentar\n[[group]]\nname = \"a\"\ncount = \
                          7\nmax_speed = 2\nspawn = { circle = { center = [0, 0], radius = 9 } }\n";

    #[test]
    fn a_text_survives_encoding_and_the_code_needs_no_escapes_in_an_address() {
        for text in ["", EDITED, &EDITED.repeat(300)]
            .into_iter()
            .chain(wayfare_scene::BUNDLED.iter().map(|scene| scene.text))
        {
            let code = encode(text);
            assert_eq!(decode(&code).as_deref(), Ok(text));
            assert!(code.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
            assert!(
                code.len() < text.len() / 4 * 3 || text.len() < 1_000,
                "{} of {}",
                code.len(),
                text.len()
            );
        }
    }

    #[test]
    fn a_broken_code_is_an_error_and_a_decompression_bomb_is_refused() {
        assert!(decode("a+b").unwrap_err().contains("“+”"));
        let half = encode(EDITED);
        let half = &half[..half.len() / 2];
        for broken in [half, "x", "AAAA", "____"] {
            let error = decode(broken).unwrap_err();
            assert!(
                error.contains("cannot be read") && error.contains("allowed:"),
                "{broken}: {error}"
            );
        }
        // 17 MiB of one letter compress to a few bytes.
        let bomb = encode(&"a".repeat((17 << 20) + 1));
        assert!(bomb.len() < 100_000 && decode(&bomb).unwrap_err().contains("at most 16 MiB"));
    }

    #[test]
    fn a_link_to_an_unchanged_bundled_scene_carries_no_text() {
        let seek = bundled("seek").unwrap();
        assert_eq!(query("seek", seek.text), "?scene=seek");
        assert_eq!(
            query("/home/me/my scene&.toml", EDITED),
            format!("?scene=my%20scene%26.toml&text={}", encode(EDITED))
        );
        assert!(query("seek", EDITED).starts_with("?scene=seek&text="));
    }
}
