//! The arrow check: crates may depend only on those before them in the house.

use std::path::Path;

use toml::de::{DeTable, DeValue};

/// The crates in the order in which they build on one another. A crate may depend on any that
/// stands on an earlier line.
const FLOORS: &[&[&str]] =
    &[&["wayfare"], &["wayfare-scene"], &["wayfare-record"], &["wayfare-cli", "wayfare-view"]];

/// Fails where a crate depends on one of its own floor or of a later one, for tests too.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let floor = |name: &str| FLOORS.iter().position(|crates| crates.contains(&name));
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path().join("Cargo.toml");
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let (name, dependencies) =
            manifest(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let Some(here) = floor(&name) else {
            return Err(format!(
                "{}: the crate `{name}` has no floor yet: give it one in xtask/src/arrows.rs",
                path.display()
            ));
        };
        for dependency in dependencies.iter().filter(|d| d.starts_with("wayfare")) {
            if floor(dependency).is_none_or(|there| there >= here) {
                return Err(format!(
                    "{}: `{name}` depends on `{dependency}`, which is not below it",
                    path.display()
                ));
            }
        }
    }
    Ok(())
}

/// The name of a crate, and all that it depends on.
fn manifest(text: &str) -> Result<(String, Vec<String>), String> {
    let table = DeTable::parse(text).map_err(|e| e.to_string())?.into_inner();
    let name = table.get("package").and_then(|p| {
        p.get_ref().get("name").and_then(|n| n.get_ref().as_str().map(str::to_string))
    });
    let mut dependencies = Vec::new();
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        if let Some(DeValue::Table(list)) = table.get(kind).map(|v| v.get_ref()) {
            dependencies.extend(list.keys().map(|key| key.get_ref().to_string()));
        }
    }
    Ok((name.ok_or("it has no package.name")?, dependencies))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arrows_of_this_project_run_one_way() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
    }

    #[test]
    fn a_reversed_arrow_is_found() {
        let folder = std::env::temp_dir().join(format!("wayfare-arrows-{}", std::process::id()));
        let path = folder.join("crates/wayfare");
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(
            path.join("Cargo.toml"),
            "[package]\nname = \"wayfare\"\n[dev-dependencies]\nwayfare-scene = { path = \"x\" }\n",
        )
        .unwrap();
        let found = check(&folder);
        std::fs::remove_dir_all(&folder).unwrap();
        assert!(found.unwrap_err().contains("`wayfare` depends on `wayfare-scene`"));
    }
}
