//! Import cycles: no two modules of the library, and no two files of the viewer, may need each
//! other. Inside `crowd/` no import runs back up, at any depth. Tests are left out: they may import
//! anything.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use syn::visit::Visit;

/// A module by its path below the crate's root: `["crowd", "pipeline"]`.
type Module = Vec<String>;

/// Who imports what, each with the line of one such import.
type Imports = BTreeMap<Module, BTreeMap<Module, usize>>;

/// The one import that may close a cycle in the library: the sealed trait `Vector` requires
/// `Instances`, what the library compiles of a crowd for each of its two types.
const SEALED: (&str, &str) = ("vector", "crowd");

/// Fails where an import inside `crowd/` runs back up.
pub(crate) fn check_crowd(root: &Path) -> Result<(), String> {
    let found = back_arrows(&imports(&root.join("crates/wayfare/src"))?);
    if found.is_empty() {
        return Ok(());
    }
    Err(format!("imports inside crowd/ run back up\n{}", found.join("\n")))
}

/// The imports between files of `crowd/` that lead to a file above the importing one in the tree,
/// and the cycles between its modules at every depth: folders with all that is in them, then files.
fn back_arrows(imports: &Imports) -> Vec<String> {
    let in_crowd = |module: &Module| module.first().is_some_and(|name| name == "crowd");
    let mut crowd = imports.clone();
    crowd.retain(|from, _| in_crowd(from));
    crowd.values_mut().for_each(|targets| targets.retain(|to, _| in_crowd(to)));
    let mut found = Vec::new();
    for (from, targets) in &crowd {
        for (to, line) in targets.iter().filter(|(to, _)| from.starts_with(to)) {
            found.push(format!("{} -> {} (line {line})", from.join("::"), to.join("::")));
        }
    }
    let deepest = crowd.keys().map(Vec::len).max().unwrap_or(0);
    for depth in 2..=deepest {
        found.extend(cycles(&at_depth(&crowd, depth)));
    }
    found.dedup();
    found
}

/// Fails where modules import one another in a cycle.
pub(crate) fn check(root: &Path) -> Result<(), String> {
    // Of the library the modules that stand in `lib.rs` count, of the viewer each file.
    let mut problems = Vec::new();
    for (krate, depth) in [("wayfare", 1), ("wayfare-view", usize::MAX)] {
        let imports = imports(&root.join("crates").join(krate).join("src"))?;
        let mut imports = at_depth(&imports, depth);
        if let Some(imported) = imports.get_mut(&[SEALED.0.to_string()][..]) {
            imported.remove(&[SEALED.1.to_string()][..]);
        }
        for cycle in cycles(&imports) {
            problems.push(format!("crates/{krate}: {cycle}"));
        }
    }
    if problems.is_empty() {
        return Ok(());
    }
    Err(format!("modules import one another in a cycle\n{}", problems.join("\n")))
}

/// The imports of all files of a crate, tests left out.
fn imports(source: &Path) -> Result<Imports, String> {
    let mut files = BTreeMap::new();
    collect(source, &mut Vec::new(), &mut files)?;
    let modules: BTreeSet<Module> = files.keys().cloned().collect();
    let mut imports = Imports::new();
    for (module, text) in &files {
        let file = syn::parse_file(text).map_err(|e| format!("{}: {e}", module.join("::")))?;
        let mut finder = Finder { module, modules: &modules, found: BTreeMap::new() };
        finder.visit_file(&file);
        finder.found.remove(module);
        imports.insert(module.clone(), finder.found);
    }
    Ok(imports)
}

/// The text of each file below `folder`, by its module; files of tests are left out.
fn collect(
    folder: &Path,
    module: &mut Module,
    files: &mut BTreeMap<Module, String>,
) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in entries {
        let path = entry.map_err(|e| e.to_string())?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if stem == "tests" || stem == "testing" {
            continue;
        }
        if path.is_dir() {
            module.push(stem);
            collect(&path, module, files)?;
            module.pop();
        } else if path.extension().is_some_and(|e| e == "rs") {
            let mut module = module.clone();
            if !["mod", "lib"].contains(&stem.as_str()) {
                module.push(stem);
            }
            let text =
                std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
            files.insert(module, text);
        }
    }
    Ok(())
}

/// Finds the modules that one file's paths lead to.
struct Finder<'a> {
    module: &'a Module,
    modules: &'a BTreeSet<Module>,
    found: BTreeMap<Module, usize>,
}

impl Finder<'_> {
    /// Notes the module that a path leads to: the longest part of it that is a file.
    fn note(&mut self, path: &[String], line: usize) {
        let mut target = match path.first().map(String::as_str) {
            Some("crate") => Vec::new(),
            Some("self") => self.module.clone(),
            Some("super") => self.module[..self.module.len().saturating_sub(1)].to_vec(),
            // A module of this file's own: a parent that uses its child.
            Some(name) => {
                let child = [&self.module[..], &[name.to_string()]].concat();
                if !self.modules.contains(&child) {
                    return;
                }
                self.found.entry(child.clone()).or_insert(line);
                child
            }
            None => return,
        };
        for name in &path[1..] {
            if name == "super" {
                target.pop();
                continue;
            }
            let child = [&target[..], std::slice::from_ref(name)].concat();
            if !self.modules.contains(&child) {
                break;
            }
            target = child;
        }
        self.found.entry(target).or_insert(line);
    }

    fn note_tree(&mut self, path: &mut Vec<String>, tree: &syn::UseTree) {
        match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.note_tree(path, &part.tree);
                path.pop();
            }
            syn::UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.note_tree(path, tree));
            }
            syn::UseTree::Name(name) => self.note_name(path, &name.ident),
            syn::UseTree::Rename(name) => self.note_name(path, &name.ident),
            syn::UseTree::Glob(glob) => {
                let line = glob.star_token.span.start().line;
                self.note(path, line);
            }
        }
    }

    fn note_name(&mut self, path: &mut Vec<String>, name: &syn::Ident) {
        path.push(name.to_string());
        self.note(path, name.span().start().line);
        path.pop();
    }
}

/// Whether an item is compiled for tests only.
fn is_test(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        let is_cfg = attribute.path().is_ident("cfg");
        is_cfg && attribute.parse_args::<syn::Path>().is_ok_and(|cfg| cfg.is_ident("test"))
    })
}

impl<'a> Visit<'a> for Finder<'_> {
    fn visit_item_mod(&mut self, item: &'a syn::ItemMod) {
        if !is_test(&item.attrs) {
            syn::visit::visit_item_mod(self, item);
        }
    }
    fn visit_item_use(&mut self, item: &'a syn::ItemUse) {
        if !is_test(&item.attrs) {
            self.note_tree(&mut Vec::new(), &item.tree);
        }
    }
    /// Does nothing: `pub(in crate::crowd)` says who may import, and imports nothing.
    fn visit_visibility(&mut self, _: &'a syn::Visibility) {}
    fn visit_path(&mut self, path: &'a syn::Path) {
        let names: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
        if ["crate", "super", "self"].contains(&names[0].as_str()) && names.len() > 1 {
            let line = path.segments[0].ident.span().start().line;
            self.note(&names, line);
        }
        syn::visit::visit_path(self, path);
    }
}

/// The same imports between modules that are at most `depth` names long.
fn at_depth(imports: &Imports, depth: usize) -> Imports {
    let cut = |module: &Module| module[..module.len().min(depth)].to_vec();
    let mut result = Imports::new();
    for (from, targets) in imports {
        let from = cut(from);
        let entry = result.entry(from.clone()).or_default();
        for (to, line) in targets {
            let to = cut(to);
            // `lib.rs` names its modules; nothing is gained by importing through it.
            if to != from && !from.is_empty() && !to.is_empty() {
                entry.entry(to).or_insert(*line);
            }
        }
    }
    result
}

/// The cycles: each strongly connected set of modules, with the imports inside it.
fn cycles(imports: &Imports) -> Vec<String> {
    let reach = |start: &Module| -> BTreeSet<Module> {
        let (mut seen, mut open) = (BTreeSet::new(), vec![start.clone()]);
        while let Some(module) = open.pop() {
            for next in imports.get(&module).into_iter().flat_map(|targets| targets.keys()) {
                if seen.insert(next.clone()) {
                    open.push(next.clone());
                }
            }
        }
        seen
    };
    let reached: BTreeMap<&Module, BTreeSet<Module>> =
        imports.keys().map(|module| (module, reach(module))).collect();
    let (mut done, mut found) = (BTreeSet::new(), Vec::new());
    for (module, targets) in &reached {
        if !targets.contains(*module) || done.contains(*module) {
            continue;
        }
        let together: BTreeSet<&Module> = targets
            .iter()
            .filter(|t| reached.get(t).is_some_and(|r| r.contains(*module)))
            .collect();
        let mut edges = Vec::new();
        for from in &together {
            for (to, line) in imports.get(*from).into_iter().flatten() {
                if together.contains(to) {
                    edges.push(format!("{} -> {} (line {line})", from.join("::"), to.join("::")));
                }
            }
        }
        done.extend(together.into_iter().cloned());
        found.push(edges.join(", "));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn crate_of(files: &[(&str, &str)]) -> Imports {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        imports(folder.path()).unwrap()
    }

    #[test]
    fn two_files_that_import_each_other_are_found_and_their_tests_are_left_out() {
        let files = [
            ("lib.rs", "mod a; mod b; mod c;"),
            ("a.rs", "use crate::b::B;"),
            ("b.rs", "fn f() { crate::c::g() }\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
            ("c.rs", ""),
        ];
        assert!(cycles(&crate_of(&files)).is_empty());
        let mut circle = files;
        circle[3].1 = "use super::{b::B as Other, a::*};";
        let found = cycles(&crate_of(&circle));
        assert_eq!(found, ["a -> b (line 1), b -> c (line 1), c -> a (line 1), c -> b (line 1)"]);
    }

    #[test]
    fn a_parent_and_a_child_that_need_each_other_are_found_between_files_not_between_modules() {
        let files = [
            ("lib.rs", "mod a;"),
            ("a/mod.rs", "mod b; use b::B; struct A;"),
            ("a/b.rs", "use super::A;"),
        ];
        let imports = crate_of(&files);
        assert_eq!(cycles(&imports).len(), 1);
        assert!(cycles(&at_depth(&imports, 1)).is_empty());
    }

    #[test]
    fn imports_that_lead_up_the_tree_or_close_a_cycle_run_back_up() {
        let files = [
            ("lib.rs", "mod crowd; mod id;"),
            ("id.rs", ""),
            ("crowd/mod.rs", "mod low; mod high;"),
            ("crowd/low.rs", "mod part; use crate::id::Id;"),
            ("crowd/low/part.rs", "use crate::crowd::high::B; pub(in crate::crowd) struct C;"),
            ("crowd/high.rs", "use super::low::{A, part::C}; use super::Crowd;"),
        ];
        assert_eq!(
            back_arrows(&crate_of(&files)),
            [
                "crowd::high -> crowd (line 1)",
                "crowd::high -> crowd::low (line 1), crowd::low -> crowd::high (line 1)",
                "crowd::high -> crowd::low::part (line 1), \
                 crowd::low::part -> crowd::high (line 1)",
            ]
        );
    }
}
