//! Reads well-known text: `POLYGON ((0 0, 9 0, 9 9, 0 0), (…))` and collections of it.

use super::{Input, KINDS, Mistake, Polygon, Ring, wrong_position};

/// The deepest nesting of collections.
const DEEPEST: usize = 32;

/// Kinds of geometry that are none of polygons.
const OTHERS: [&str; 14] = [
    "POINT",
    "MULTIPOINT",
    "LINESTRING",
    "MULTILINESTRING",
    "LINEARRING",
    "CIRCULARSTRING",
    "COMPOUNDCURVE",
    "CURVEPOLYGON",
    "MULTICURVE",
    "MULTISURFACE",
    "POLYHEDRALSURFACE",
    "TIN",
    "TRIANGLE",
    "CURVE",
];

/// The polygons of all geometries of the text.
pub(super) fn read(input: Input<'_>) -> Result<Vec<Polygon>, Mistake> {
    let mut reader = Reader { input, at: 0, polygons: Vec::new() };
    reader.skip();
    while reader.at < input.text.len() {
        reader.reference_system()?;
        reader.geometry(0)?;
        // Geometries stand one after another, as lines of a table do.
        while reader.takes(';') {}
    }
    Ok(reader.polygons)
}

struct Reader<'t> {
    input: Input<'t>,
    at: usize,
    polygons: Vec<Polygon>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        &self.input.text[self.at..]
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len()
            - rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}').len();
    }

    /// Takes `mark` and the spaces after it, if it is there.
    fn takes(&mut self, mark: char) -> bool {
        let found = self.rest().starts_with(mark);
        if found {
            self.at += mark.len_utf8();
            self.skip();
        }
        found
    }

    fn expect(&mut self, mark: char, allowed: &str) -> Result<(), Mistake> {
        if self.takes(mark) { Ok(()) } else { Err(self.unexpected(allowed)) }
    }

    /// The mistake of what stands here.
    fn unexpected(&self, allowed: &str) -> Mistake {
        let found: String =
            self.rest().split_whitespace().next().unwrap_or("").chars().take(20).collect();
        let message = if found.is_empty() {
            "the text ends here".to_string()
        } else {
            format!("`{found}` stands here")
        };
        Mistake::new(self.at, message, allowed)
    }

    /// The next word in capitals, and where it begins; empty where none stands.
    fn word(&mut self) -> (String, usize) {
        let (rest, at) = (self.rest(), self.at);
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        self.at += end;
        self.skip();
        (rest[..end].to_ascii_uppercase(), at)
    }

    /// `SRID=4326;`, which says how coordinates were projected, and is skipped.
    fn reference_system(&mut self) -> Result<(), Mistake> {
        let begins = self.rest().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("SRID="));
        if begins {
            match self.rest().find(';') {
                Some(end) => self.at += end + 1,
                None => return Err(self.unexpected("SRID=…; with a number and a semicolon")),
            }
            self.skip();
        }
        Ok(())
    }

    fn geometry(&mut self, depth: usize) -> Result<(), Mistake> {
        let (kind, at) = self.word();
        let known = ["POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"];
        if !known.contains(&kind.as_str()) {
            let message = match (kind.as_str(), OTHERS.contains(&kind.as_str())) {
                ("", _) => return Err(self.unexpected(KINDS)),
                (kind, true) => format!("`{kind}` is no polygon"),
                (kind, false) if kind.len() > 30 => {
                    "a long word is no kind of geometry".to_string()
                }
                (kind, false) => format!("`{kind}` is no kind of geometry"),
            };
            return Err(Mistake::new(at, message, KINDS));
        }
        if depth > DEEPEST {
            let message = format!("collections are nested deeper than {DEEPEST}");
            return Err(Mistake::new(at, message, "fewer collections in collections"));
        }
        let (modifier, modified) = self.word();
        match modifier.as_str() {
            "" => {}
            "EMPTY" => {
                return Err(Mistake::new(modified, format!("the {kind} is empty"), "polygons"));
            }
            "Z" | "M" | "ZM" => {
                let message = format!("`{kind} {modifier}` has more than two coordinates");
                return Err(Mistake::new(modified, message, "two coordinates, x and y"));
            }
            _ => return Err(Mistake::new(modified, format!("`{modifier}` stands here"), "(")),
        }
        self.list(
            |reader| match kind.as_str() {
                "GEOMETRYCOLLECTION" => reader.geometry(depth + 1),
                "MULTIPOLYGON" => reader.polygon(),
                _ => Ok(()),
            },
            kind == "POLYGON",
        )
    }

    /// `( item, item, … )`; a `polygon` is its own list.
    fn list(
        &mut self,
        mut item: impl FnMut(&mut Self) -> Result<(), Mistake>,
        polygon: bool,
    ) -> Result<(), Mistake> {
        if polygon {
            return self.polygon();
        }
        self.expect('(', "(")?;
        loop {
            item(self)?;
            if !self.takes(',') {
                return self.expect(')', ", or )");
            }
        }
    }

    /// `((x y, …), (x y, …))`.
    fn polygon(&mut self) -> Result<(), Mistake> {
        let (at, mut rings) = (self.at, Vec::new());
        self.expect('(', "( of a polygon")?;
        loop {
            rings.push(self.ring()?);
            if !self.takes(',') {
                self.expect(')', ", or ) after a ring")?;
                break;
            }
        }
        self.polygons.push(Polygon::new(rings, at)?);
        Ok(())
    }

    fn ring(&mut self) -> Result<Ring, Mistake> {
        let (at, mut positions) = (self.at, Vec::new());
        self.expect('(', "( of a ring")?;
        loop {
            positions.push(self.position()?);
            if !self.takes(',') {
                self.expect(')', ", or ) after a corner")?;
                break;
            }
        }
        Ring::new(&positions, at, self.input.origin)
    }

    fn position(&mut self) -> Result<([f64; 2], usize), Mistake> {
        let at = self.at;
        let mut numbers = Vec::new();
        while !self.rest().starts_with([',', ')', '(']) && !self.rest().is_empty() {
            numbers.push(self.number()?);
        }
        match numbers[..] {
            [x, y] => Ok(([x, y], at)),
            [] => Err(self.unexpected("a corner such as 2.5 4")),
            _ => Err(wrong_position(at..self.at, numbers.len())),
        }
    }

    fn number(&mut self) -> Result<f64, Mistake> {
        let rest = self.rest();
        let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | '(' | ')');
        let text = &rest[..rest.find(is_end).unwrap_or(rest.len())];
        let looks_right = text.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        match text.parse::<f64>().ok().filter(|x| x.is_finite() && looks_right) {
            Some(x) => {
                self.at += text.len();
                self.skip();
                Ok(x)
            }
            None => Err(self.unexpected("a number such as 2.5")),
        }
    }
}
