use super::*;

#[test]
fn every_formula_and_link_is_in_the_docs_and_every_symbol_is_explained() {
    let headings: Vec<&str> = PAGE.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    let mut explained = "max_speed max_force min panic_radius slowing_radius circle_distance \
                         max_avoid_force weight force sum of whose angle walks randomly for \
                         circles other shapes and the next once with where it damps seek flee \
                         arrive evade f"
        .to_string();
    for step in &STEPS {
        let anchor = step.link().rsplit_once('#').unwrap().1.replace('-', " ");
        assert!(headings.contains(&anchor.as_str()), "{}", step.link());
        let formula = step.formula().unwrap();
        assert!(
            PAGE.replace('\n', " ").contains(&formula.replace('\n', "; "))
                && formula.contains(['*', '(']),
            "{formula}"
        );
        explained += &format!(" {}", step.symbols);
        for word in formula
            .split(|c: char| !c.is_alphanumeric() && c != '_')
            .filter(|word| word.chars().any(char::is_alphabetic))
        {
            let known = explained
                .split(|c: char| !c.is_alphanumeric() && c != '_')
                .any(|known| known == word);
            assert!(
                known || formula.contains(&format!(".{word}")) || word == "target",
                "{}: `{word}` in {formula}",
                step.section
            );
        }
    }
}

#[test]
fn a_step_has_two_or_three_sentences_and_is_short() {
    for step in &STEPS {
        let sentences = step.text.matches(". ").count() + usize::from(step.text.ends_with('.'));
        assert!(
            (2..=3).contains(&sentences) && step.text.len() < 400,
            "{}: {sentences}, {}",
            step.title,
            step.text.len()
        );
        assert!(step.attempt.len() < 170, "{}: {}", step.title, step.attempt.len());
        let ends = |text: &str| text.ends_with('.') && !text.contains("  ");
        assert!(ends(step.text) && ends(step.symbols) && ends(step.attempt), "{}", step.title);
    }
}
