//! The layout of edited text: it follows the text around it, and line breaks, the byte order mark
//! and the end of the file stay.

use wayfare_scene::edit::Value;

use super::{LISTS, draft, path, world};

#[test]
fn edited_text_follows_the_layout_around_it() {
    let steer = path("group[0].steer");
    let mut headers = draft(&world(LISTS[0]));
    headers.add(&steer, 1, "pursue").unwrap();
    headers.move_to(&steer.at(3), 0).unwrap();
    headers.set(&steer.at(1).key("weight"), 0.5).unwrap();
    let expected = "max_speed = 3\nradius = 2\n\n# Wander at \
                    last.\n[[group.steer]]\n[group.steer.wander]\ncircle_distance = 6\n  # \
                    indented\n  circle_radius = 8\nangle_change = 1\n[[group.steer]]\n# About \
                    seek.\nseek = { target = [1, 2] }\nweight = 0.5\n";
    assert!(headers.text().contains(expected), "{}", headers.text());
    assert!(
        headers.text().contains(
            "\n[[group.steer]]\npursue = { quarry = \"leader\" }\n[[group.steer]] # flee here\n"
        ),
        "{}",
        headers.text()
    );

    let mut brackets = draft(&world(LISTS[2]));
    brackets.add(&steer, 9, "seek").unwrap();
    brackets.remove(&steer.at(0)).unwrap();
    brackets.set(&steer.at(0).key("flee").key("panic_radius"), 80.0).unwrap();
    let expected = "steer = [\n    # About seek.\n    { flee = { target = [3, 4], panic_radius = \
                    80 }, weight = 2.0 },\n    # Wander at last.\n    # And for long.\n    { \
                    wander = { circle_distance = 6, circle_radius = 8, angle_change = 1 } }, # \
                    last\n    { seek = { target = \"pointer\" } }\n    # end\n]\n";
    assert!(brackets.text().contains(expected), "{}", brackets.text());

    // A new list of a group under a header is written under headers, a new list of a state inline,
    // and a new table together with its key.
    let mut bare = draft(&world("[[group.state]]\nname = \"look\"\n# Nothing yet.\n"));
    bare.add(&path("group[0].state[0].steer"), 0, "seek").unwrap();
    bare.add(&path("group[1].steer"), 0, "arrive").unwrap();
    bare.set(&path("group[1].steer[0].weight"), 2.0).unwrap();
    bare.set(&path("seed"), 7_u64).unwrap();
    for expected in [
        "dt = 0.5 # half a tick\nseed = 7\n[bounds]",
        "name = \"look\"\nsteer = [{ seek = { target = \"pointer\" } }]\n# Nothing yet.\n",
        "max_speed = 2\n[[group.steer]]\narrive = { target = \"pointer\" }\nweight = 2\n",
    ] {
        assert!(bare.text().contains(expected), "{expected}\n{}", bare.text());
    }
}

#[test]
fn line_breaks_the_byte_order_mark_and_the_end_of_a_file_stay() {
    for (file, kept) in [
        (world(LISTS[0]).replace('\n', "\r\n"), "\r\n"),
        (format!("\u{feff}{}", world(LISTS[2])), "\u{feff}"),
        (world(LISTS[4]).trim_end().to_string(), ""),
        (world(LISTS[2]).replace('\n', "\r\n"), "\r\n"),
    ] {
        let steer = path("group[0].steer");
        let opened = draft(&file);
        let mut draft = opened.clone();
        for (key, value) in [
            ("dt", Value::from(2.0)),
            ("group[1].radius", 4.0.into()),
            ("group[0].steer[1].off", true.into()),
            ("group[0].drag", 0.5.into()),
        ] {
            draft.set(&path(key), value).unwrap();
            assert!(
                draft.text().contains(kept) && draft.text().ends_with('\n') == file.ends_with('\n')
            );
            assert!(
                kept != "\r\n"
                    || draft.text().matches('\n').count() == draft.text().matches("\r\n").count(),
                "{:?}",
                draft.text()
            );
            draft.restore(&path(key)).unwrap();
            assert_eq!(draft.text(), file);
        }
        draft.add(&steer, 1, "seek").unwrap();
        draft.move_to(&steer.at(1), 3).unwrap();
        draft.remove(&steer.at(3)).unwrap();
        assert_eq!(draft.text(), file);
    }
}
