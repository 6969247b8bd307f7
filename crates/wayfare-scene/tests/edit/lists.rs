//! Lists of behaviors: adding, removing, moving and disabling entries, in every layout.

use wayfare_scene::edit::{Draft, Value};

use super::{LISTS, comments, draft, path, sorted_comments, sorted_lines, world};

/// The names of the behaviors of the first list.
fn names(draft: &Draft) -> Vec<String> {
    draft.lists()[0].entries.iter().map(|entry| entry.behavior.clone()).collect()
}

#[test]
fn behaviors_are_moved_removed_added_and_disabled_in_every_layout_of_their_list() {
    for (i, list) in LISTS.into_iter().enumerate() {
        let entries_on_own_lines = [0, 2, 3, 4].contains(&i);
        let text = world(list);
        let opened = draft(&text);
        let steer = path("group[0].steer");
        assert_eq!(
            (names(&opened), opened.lists()[0].key_path.clone()),
            (vec!["seek".into(), "flee".into(), "wander".into()], steer.clone())
        );
        for (from, to) in [(0, 1), (0, 2), (2, 0), (1, 2), (1, 9), (1, 1)] {
            let mut draft = opened.clone();
            draft.move_to(&steer.at(from), to).unwrap();
            let mut expected = names(&opened);
            let moved = expected.remove(from);
            expected.insert(to.min(2), moved);
            assert_eq!(names(&draft), expected, "{from} {to}\n{}", draft.text());
            assert_eq!(sorted_comments(draft.text()), sorted_comments(&text), "{}", draft.text());
            assert!(
                !entries_on_own_lines || sorted_lines(draft.text()) == sorted_lines(&text),
                "a comment was separated from its line\n{}",
                draft.text()
            );
            // The original value of a moved entry is found at its new index.
            let flee = expected.iter().position(|name| name == "flee").unwrap();
            assert_eq!(
                draft.original_value(&steer.at(flee).key("weight")),
                Some(Value::Number(2.0))
            );
            draft.set(&steer.at(flee).key("weight"), 5.0).unwrap();
            draft.restore(&steer.at(flee).key("weight")).unwrap();
            assert!(draft.text().contains("weight = 2.0"), "{}", draft.text());
            draft.move_to(&steer.at(to.min(2)), from).unwrap();
            assert_eq!(draft.text(), text);
        }
        for i in 0..3 {
            let mut draft = opened.clone();
            draft.remove(&steer.at(i)).unwrap();
            let mut expected = names(&opened);
            expected.remove(i);
            assert_eq!(names(&draft), expected, "{}", draft.text());
            assert!(
                comments(draft.text()).len() + 2 >= comments(&text).len()
                    && !draft.text().contains(",,"),
                "{}",
                draft.text()
            );
            let mut draft = opened.clone();
            draft.set_enabled(&steer.at(i), false).unwrap();
            assert!(draft.lists()[0].entries[i].off && draft.text().contains("off = true"));
            assert_eq!(comments(draft.text()), comments(&text));
            draft.set_enabled(&steer.at(i), true).unwrap();
            assert_eq!(draft.text(), text);
        }
        for i in 0..4 {
            let mut draft = opened.clone();
            draft.add(&steer, i, "separation").unwrap();
            let mut expected = names(&opened);
            expected.insert(i, "separation".into());
            assert_eq!(names(&draft), expected, "{}", draft.text());
            assert_eq!(comments(draft.text()), comments(&text), "{}", draft.text());
            assert_eq!(draft.original_value(&steer.at(i).key("separation").key("radius")), None);
            draft.remove(&steer.at(i)).unwrap();
            assert_eq!(draft.text(), text);
        }
        let mut draft = opened.clone();
        (0..3).for_each(|_| draft.remove(&steer.at(0)).unwrap());
        assert!(names(&draft).is_empty());
        draft.add(&steer, 0, "seek").unwrap();
        assert_eq!(names(&draft), ["seek"], "{}", draft.text());
    }
}
