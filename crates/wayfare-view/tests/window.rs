//! The window on a virtual screen (Xvfb): it opens, shows a scene that moves, and closes.
#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used)] // In a test a panic is the message.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::{
    AtomEnum, ClientMessageEvent, ConnectionExt, EventMask, ImageFormat, Window,
};
use x11rb::rust_connection::RustConnection;

/// A limit for machines under load; the test waits for states, not for times.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A child process that is killed at the end of the test.
struct Program(Child);

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a virtual screen; returns it with its display name.
fn screen() -> (Program, String) {
    let screen = Command::new("Xvfb")
        .args(["-displayfd", "1", "-screen", "0", "1400x900x24", "-nolisten", "tcp"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut screen = Program(screen.expect("there is no Xvfb: install the package `xvfb`"));
    let mut number = String::new();
    BufReader::new(screen.0.stdout.take().unwrap()).read_line(&mut number).unwrap();
    (screen, format!(":{}", number.trim()))
}

/// Calls `look` until it finds something.
fn wait_for<T>(what: &str, viewer: &mut Program, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        if let Some(status) = viewer.0.try_wait().unwrap() {
            let mut said = String::new();
            viewer.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
            panic!("waiting for {what}, the viewer ended ({status}): {said}");
        }
        assert!(began.elapsed() < TIMEOUT, "{what}: not found in {TIMEOUT:?}");
        std::thread::sleep(Duration::from_millis(100));
    }
}

/// The window with this title.
fn titled(server: &RustConnection, root: Window, title: &str) -> Option<Window> {
    let windows = server.query_tree(root).ok()?.reply().ok()?.children;
    let name = |window| {
        server
            .get_property(false, window, AtomEnum::WM_NAME, AtomEnum::ANY, 0, 64)
            .ok()?
            .reply()
            .ok()
    };
    windows
        .into_iter()
        .find(|&window| name(window).is_some_and(|name| name.value == title.as_bytes()))
}

/// The pixels in the middle of a window.
fn picture(server: &RustConnection, window: Window) -> Option<Vec<[u8; 4]>> {
    let size = server.get_geometry(window).ok()?.reply().ok()?;
    let (x, y) = (size.width as i16 / 3, size.height as i16 / 5);
    let image = server
        .get_image(ImageFormat::Z_PIXMAP, window, x, y, size.width / 2, size.height / 2, !0)
        .ok()?
        .reply()
        .ok()?;
    Some(image.data.chunks_exact(4).map(|pixel| [pixel[0], pixel[1], pixel[2], 0]).collect())
}

#[test]
fn the_window_opens_shows_a_moving_scene_and_closes_without_an_error() {
    let (_screen, display) = screen();
    let mut viewer = Command::new(env!("CARGO_BIN_EXE_wayfare-view"));
    viewer
        .arg("arrive")
        .env("DISPLAY", &display)
        .env_remove("WAYLAND_DISPLAY")
        .env("LIBGL_ALWAYS_SOFTWARE", "1")
        .stderr(Stdio::piped());
    let mut viewer = Program(viewer.spawn().unwrap());

    let (server, number) = RustConnection::connect(Some(&display)).unwrap();
    let root = server.setup().roots[number].root;
    let window = wait_for("the window", &mut viewer, || titled(&server, root, "Wayfare"));
    let drawn = |picture: &Vec<[u8; 4]>| picture.iter().collect::<BTreeSet<_>>().len() > 20;
    let first = wait_for("a picture", &mut viewer, || picture(&server, window).filter(drawn));
    wait_for("something that moves", &mut viewer, || {
        picture(&server, window).filter(|picture| *picture != first)
    });

    // The message of a window manager for a click on the close button.
    let atom = |name: &[u8]| server.intern_atom(false, name).unwrap().reply().unwrap().atom;
    let close = ClientMessageEvent::new(
        32,
        window,
        atom(b"WM_PROTOCOLS"),
        [atom(b"WM_DELETE_WINDOW"), 0, 0, 0, 0],
    );
    server.send_event(false, window, EventMask::NO_EVENT, close).unwrap();
    server.flush().unwrap();
    let began = Instant::now();
    let status = loop {
        if let Some(status) = viewer.0.try_wait().unwrap() {
            break status;
        }
        assert!(began.elapsed() < TIMEOUT, "the window does not close");
        std::thread::sleep(Duration::from_millis(50));
    };
    let mut said = String::new();
    viewer.0.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(
        status.success() && !said.contains("rror") && !said.contains("panic"),
        "{status}: {said}"
    );
}
