//! The registry through which behaviors are read.

use core::cell::RefCell;

use crate::registry::{Behavior, Registry};
use crate::vector::Vector;

std::thread_local! {
    static CURRENT: RefCell<Registry> = RefCell::default();
}

/// Puts a registry back when it is dropped, also by a panic.
struct Restore(Registry);

impl Drop for Restore {
    fn drop(&mut self) {
        CURRENT.set(core::mem::take(&mut self.0));
    }
}

/// The behavior `name` with its defaults, built-in or of the registry in use.
pub(super) fn from_name<V: Vector>(name: &str) -> Option<Behavior<V>> {
    CURRENT.with_borrow(|registry| registry.from_name(name))
}

impl Registry {
    /// Runs `read`, in which behaviors of this registry are read through serde by their names, on
    /// this thread. Outside of such a call the built-in behaviors are known. Needs the feature
    /// `serde`.
    ///
    /// ```
    /// use wayfare::{Registry, crowd::Setup, glam::Vec2};
    /// let registry = Registry::default(); // With your own behaviors registered.
    /// let text = r#"{ "dt": 0.1, "groups": [] }"#;
    /// let setup: Setup<Vec2> = registry.reading(|| serde_json::from_str(text))?;
    /// assert_eq!(setup.dt, 0.1);
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    pub fn reading<T>(&self, read: impl FnOnce() -> T) -> T {
        let _restore = Restore(CURRENT.replace(self.clone()));
        read()
    }
}
