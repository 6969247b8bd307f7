//! The layers of crates: a crate depends only on crates of lower layers, the library on few.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use toml::de::{DeTable, DeValue};

/// The layers from the lowest to the highest. A crate may depend on any crate of an earlier layer.
const LAYERS: &[&[&str]] = &[
    &["wayfare"],
    &["wayfare-measure"],
    &["wayfare-scene"],
    &["bevy_wayfare", "wayfare-demo", "wayfare-record"],
    &["wayfare-study"],
    &["wayfare-cli", "wayfare-cluster"],
    &["wayfare-python", "wayfare-view"],
];

/// Fails where a crate depends on one of its own layer or of a higher one, for tests too.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    let layer = |name: &str| LAYERS.iter().position(|crates| crates.contains(&name));
    let folder = root.join("crates");
    let entries = std::fs::read_dir(&folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path().join("Cargo.toml");
        let text =
            std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
        let (name, dependencies) =
            manifest(&text).map_err(|e| format!("{}: {e}", path.display()))?;
        let Some(here) = layer(&name) else {
            return Err(format!(
                "{}: the crate `{name}` has no layer: add it in xtask/src/layers.rs",
                path.display()
            ));
        };
        for dependency in dependencies.iter().filter(|d| d.starts_with("wayfare")) {
            if layer(dependency).is_none_or(|there| there >= here) {
                return Err(format!(
                    "{}: `{name}` depends on `{dependency}`, which is not in a lower layer",
                    path.display()
                ));
            }
        }
    }
    Ok(())
}

/// The largest number of crates that a program gets with the library and its default features.
const LARGEST: usize = 10;

/// Fails where the library with its default features brings too many crates.
pub(crate) fn count(root: &Path) -> Result<(), String> {
    let output = Command::new(crate::cargo_program())
        .args(["tree", "--package", "wayfare", "--edges", "normal", "--prefix", "none"])
        .current_dir(root)
        .output()
        .map_err(|e| format!("cargo could not be started: {e}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    few(&String::from_utf8_lossy(&output.stdout), LARGEST)
}

/// Fails where a tree has more crates than `largest`; each line begins with a name and a version.
fn few(tree: &str, largest: usize) -> Result<(), String> {
    let crates: BTreeSet<Vec<&str>> =
        tree.lines().map(|line| line.split_whitespace().take(2).collect()).collect();
    if (1..=largest).contains(&crates.len()) {
        return Ok(());
    }
    let names: Vec<String> = crates.iter().map(|name| name.join(" ")).collect();
    Err(format!(
        "the library has {} crates by default; allowed: 1 to {largest}: {}",
        names.len(),
        names.join(", ")
    ))
}

/// The name of a crate and all its dependencies, those of `[target.*]` tables included.
fn manifest(text: &str) -> Result<(String, Vec<String>), String> {
    let table = DeTable::parse(text).map_err(|e| e.to_string())?.into_inner();
    let name = table.get("package").and_then(|p| {
        p.get_ref().get("name").and_then(|n| n.get_ref().as_str().map(str::to_string))
    });
    let mut dependencies = Vec::new();
    collect(&table, &mut dependencies);
    if let Some(DeValue::Table(targets)) = table.get("target").map(|v| v.get_ref()) {
        for target in targets.values() {
            if let DeValue::Table(target) = target.get_ref() {
                collect(target, &mut dependencies);
            }
        }
    }
    Ok((name.ok_or("it has no package.name")?, dependencies))
}

/// The names of the dependencies in a manifest's table; a renamed one by its `package`.
fn collect(table: &DeTable<'_>, dependencies: &mut Vec<String>) {
    for kind in ["dependencies", "dev-dependencies", "build-dependencies"] {
        if let Some(DeValue::Table(list)) = table.get(kind).map(|v| v.get_ref()) {
            dependencies.extend(list.iter().map(|(key, value)| {
                let package = value.get_ref().get("package");
                let renamed = package.and_then(|p| p.get_ref().as_str().map(str::to_string));
                renamed.unwrap_or_else(|| key.get_ref().to_string())
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crates_of_this_project_depend_on_lower_layers_only() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
    }

    #[test]
    fn crates_are_counted_once_and_one_too_many_is_an_error() {
        let tree = "a v1.0.0 (/a)\nb v0.2.1\nc v3.0.0\nb v0.2.1 (*)\nb v0.3.0\n";
        few(tree, 4).unwrap();
        let found = few(tree, 3).unwrap_err();
        assert!(found.contains("4 crates by default; allowed: 1 to 3: a v1.0.0, b v"), "{found}");
        few("", 3).unwrap_err();
    }

    #[test]
    fn a_dependency_on_a_higher_layer_is_found_wherever_it_is_declared() {
        for dependency in [
            "[dev-dependencies]\nwayfare-scene = { path = \"x\" }",
            "[target.'cfg(unix)'.dependencies]\nwayfare-scene = { path = \"x\" }",
            "[target.x86_64-unknown-linux-gnu.dev-dependencies]\nwayfare-scene = \"1\"",
            "[build-dependencies]\nscenes = { path = \"x\", package = \"wayfare-scene\" }",
        ] {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("crates/wayfare");
            std::fs::create_dir_all(&path).unwrap();
            let manifest = format!("[package]\nname = \"wayfare\"\n{dependency}\n");
            std::fs::write(path.join("Cargo.toml"), manifest).unwrap();
            let found = check(folder.path()).unwrap_err();
            assert!(found.contains("`wayfare` depends on `wayfare-scene`"), "{found}");
        }
    }
}
