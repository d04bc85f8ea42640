//! As much of style sheets as hides text: declarations, and rules for one class, id or element.

use std::collections::{HashMap, HashSet};

/// Most bytes of style that are looked at.
const MOST: usize = 1 << 20;
/// Most rules that are kept.
const MOST_RULES: usize = 20_000;

/// What declarations do to the text they apply to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effect {
    /// How it is hidden, if it is, with everything below.
    pub(super) hides: Option<&'static str>,
    /// The letters have no size, unless an element below sets one.
    pub(super) tiny: bool,
    /// A size of letters is set that can be read.
    pub(super) sized: bool,
}

/// What "display: none; color: red" does.
pub(super) fn effect(declarations: &str) -> Effect {
    // Most styles say nothing of the kind.
    let mut style = Style::default();
    for declaration in declarations.split(';') {
        let Some((name, value)) = declaration.split_once(':') else { continue };
        let value = value.split('!').next().unwrap_or(value).trim();
        style.set(name.trim(), value);
    }
    style.effect()
}

#[derive(Default)]
struct Style<'a> {
    none: bool,
    invisible: bool,
    clear: bool,
    font: Option<bool>,
    away: bool,
    placed: bool,
    far: bool,
    clipped: bool,
    flat: bool,
    overflow: bool,
    shrunk: bool,
    ink: Option<&'a str>,
    paper: Option<&'a str>,
}

impl<'a> Style<'a> {
    fn set(&mut self, name: &str, value: &'a str) {
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match name.to_ascii_lowercase().as_str() {
            "display" => self.none = is("none"),
            "visibility" => self.invisible = is("hidden") || is("collapse"),
            "opacity" => {
                self.clear =
                    value.trim_end_matches('%').parse::<f32>().is_ok_and(|part| part <= 0.02);
            }
            "font-size" => self.font = length(value).map(|px| px <= 1.5),
            "font" => {
                let size = value.split_ascii_whitespace().find_map(|part| {
                    length(part.split('/').next().unwrap_or(part)).filter(|_| part != "normal")
                });
                self.font = size.map(|px| px <= 1.5).or(self.font);
            }
            "text-indent" | "margin-left" | "margin-top" | "margin-right" => {
                self.away |= length(value).is_some_and(|px| px <= -500.0);
            }
            "position" => self.placed = is("absolute") || is("fixed"),
            "left" | "top" | "right" | "bottom" => {
                self.far |= length(value).is_some_and(|px| px.abs() >= 2_000.0 || px <= -500.0);
            }
            "clip" => {
                let inner = value.trim_start_matches(|c: char| c != '(').trim_matches(['(', ')']);
                let sides: Vec<f32> = inner
                    .split([',', ' '])
                    .filter(|side| !side.is_empty())
                    .filter_map(length)
                    .collect();
                self.clipped |= sides.len() == 4
                    && ((sides[2] - sides[0]).abs() <= 1.5 || (sides[1] - sides[3]).abs() <= 1.5);
            }
            "clip-path" | "-webkit-clip-path" => {
                let bare: String = value.chars().filter(|c| !c.is_whitespace()).collect();
                let share = |text: &str| {
                    text.split(['%', ',', ')']).next().and_then(|n| n.parse::<f32>().ok())
                };
                self.clipped |=
                    bare.strip_prefix("inset(").and_then(share).is_some_and(|n| n >= 50.0)
                        || bare.starts_with("circle(0")
                        || bare.starts_with("polygon(00,00");
            }
            "width" | "height" | "max-height" | "max-width" => {
                self.flat |= length(value).is_some_and(|px| (0.0..=1.5).contains(&px));
            }
            "overflow" | "overflow-y" | "overflow-x" => self.overflow = is("hidden") || is("clip"),
            "transform" | "-webkit-transform" => {
                let bare: String = value.chars().filter(|c| !c.is_whitespace()).collect();
                self.shrunk |= bare.contains("scale(0)") || bare.contains("scale(0,0)");
                self.away |= ["translate(", "translatex(", "translatey("].iter().any(|kind| {
                    let lower = bare.to_ascii_lowercase();
                    lower.split_once(kind).is_some_and(|(_, rest)| {
                        let first = rest.split([',', ')']).next().unwrap_or_default();
                        !first.ends_with('%') && length(first).is_some_and(|px| px <= -500.0)
                    })
                });
            }
            "color" => self.ink = Some(value),
            "background" | "background-color" => {
                self.paper =
                    value.split_ascii_whitespace().next().filter(|_| !value.contains("url("));
            }
            _ => {}
        }
    }

    fn effect(&self) -> Effect {
        let same_colour = || {
            let ink = colour(self.ink?)?;
            (ink.3 == 0
                || self.paper.and_then(colour).is_some_and(|paper| paper.3 > 0 && near(ink, paper)))
            .then_some("the colour of its background")
        };
        let hides = if self.none {
            Some("display: none")
        } else if self.invisible {
            Some("visibility: hidden")
        } else if self.clear {
            Some("opacity: 0")
        } else if self.away || self.placed && self.far {
            Some("placed outside of the page")
        } else if self.clipped || self.flat && self.overflow || self.shrunk {
            Some("clipped to nothing")
        } else {
            same_colour()
        };
        Effect { hides, tiny: self.font == Some(true), sized: self.font == Some(false) }
    }
}

/// A length in pixels, roughly; `None` for what is none.
fn length(value: &str) -> Option<f32> {
    let value = value.trim();
    let digits = value
        .find(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | '-' | '+')))
        .unwrap_or(value.len());
    let number: f32 = value[..digits].parse().ok()?;
    let unit = match value[digits..].to_ascii_lowercase().as_str() {
        "" if number == 0.0 => 1.0,
        "px" => 1.0,
        "pt" => 1.33,
        "em" | "rem" | "ch" | "ex" => 16.0,
        "%" => 0.16,
        "vw" | "vh" | "vmin" | "vmax" => 10.0,
        "cm" => 38.0,
        "mm" => 3.8,
        "in" => 96.0,
        "" => 1.0,
        _ => return None,
    };
    Some(number * unit)
}

type Colour = (u8, u8, u8, u8);

/// Red, green, blue and opacity.
pub(super) fn colour(value: &str) -> Option<Colour> {
    let value = value.trim().to_ascii_lowercase();
    if let Some(digits) = value.strip_prefix('#') {
        let nibbles: Vec<u8> =
            digits.chars().map(|c| c.to_digit(16).map(|d| d as u8)).collect::<Option<_>>()?;
        let short = |at: usize| nibbles[at] * 17;
        let long = |at: usize| nibbles[2 * at] * 16 + nibbles[2 * at + 1];
        return match nibbles.len() {
            3 => Some((short(0), short(1), short(2), 255)),
            4 => Some((short(0), short(1), short(2), short(3))),
            6 => Some((long(0), long(1), long(2), 255)),
            8 => Some((long(0), long(1), long(2), long(3))),
            _ => None,
        };
    }
    if let Some(inner) = value.strip_prefix("rgb") {
        let inner = inner.trim_start_matches('a').trim_matches(['(', ')']);
        let parts: Vec<f32> = inner
            .split([',', ' ', '/'])
            .filter(|part| !part.is_empty())
            .filter_map(|part| match part.strip_suffix('%') {
                Some(share) => share.parse::<f32>().ok().map(|share| share * 2.55),
                None => part.parse().ok(),
            })
            .collect();
        let byte = |at: usize| parts[at].clamp(0.0, 255.0) as u8;
        return match parts.len() {
            3 => Some((byte(0), byte(1), byte(2), 255)),
            4 => Some((byte(0), byte(1), byte(2), (parts[3] * 255.0).clamp(0.0, 255.0) as u8)),
            _ => None,
        };
    }
    Some(match value.as_str() {
        "white" => (255, 255, 255, 255),
        "black" => (0, 0, 0, 255),
        "red" => (255, 0, 0, 255),
        "green" => (0, 128, 0, 255),
        "blue" => (0, 0, 255, 255),
        "yellow" => (255, 255, 0, 255),
        "gray" | "grey" => (128, 128, 128, 255),
        "silver" => (192, 192, 192, 255),
        "ivory" => (255, 255, 240, 255),
        "snow" => (255, 250, 250, 255),
        "whitesmoke" => (245, 245, 245, 255),
        "transparent" => (0, 0, 0, 0),
        _ => return None,
    })
}

/// Too close to tell text from what is behind it.
pub(super) fn near(a: Colour, b: Colour) -> bool {
    let apart = |x: u8, y: u8| u32::from(x.abs_diff(y));
    apart(a.0, b.0) + apart(a.1, b.1) + apart(a.2, b.2) <= 24
}

/// Classes, ids and elements that the page's own style sheets hide.
#[derive(Debug, Default)]
pub(super) struct Rules {
    classes: HashMap<String, Rule>,
    ids: HashMap<String, Rule>,
    /// Pairs of classes that show an element together which one of them hides: `.tab.open`.
    shown: HashSet<(String, String)>,
    count: usize,
}

#[derive(Clone, Debug)]
struct Rule {
    /// Only elements of this name, if any.
    element: Option<String>,
    how: &'static str,
}

impl Rules {
    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Adds the rules of a style sheet. Rules within `@media` and the like apply at times only and are passed over, and so
    /// is what is no simple selector.
    pub(super) fn add(&mut self, sheet: &str) {
        let sheet = without_comments(&sheet[..sheet.floor_char_boundary(MOST)]);
        let mut rest = sheet.as_str();
        while let Some(open) = rest.find('{') {
            let selectors = rest[..open].rsplit([';', '}']).next().unwrap_or_default().trim();
            let block = &rest[open + 1..];
            if selectors.starts_with('@') {
                rest = after_block(block);
                continue;
            }
            let close = block.find('}').unwrap_or(block.len());
            let declarations = &block[..close];
            rest = block.get(close + 1..).unwrap_or_default();
            let how = effect(declarations).hides;
            let shows = how.is_none() && declarations.contains("display");
            if self.count < MOST_RULES && (how.is_some() || shows) {
                for selector in selectors.split(',') {
                    self.rule(selector.trim(), how);
                }
            }
        }
    }

    fn rule(&mut self, selector: &str, how: Option<&'static str>) {
        let Some(mark) = selector.find(['.', '#']) else { return };
        let (element, name) = (&selector[..mark], &selector[mark + 1..]);
        let plain =
            |text: &str| text.chars().all(|c| c.is_alphanumeric() || matches!(c, '-' | '_'));
        if let (None, Some((one, other))) = (how, name.split_once('.'))
            && plain(one)
            && plain(other)
        {
            self.shown.insert((one.to_owned(), other.to_owned()));
            self.shown.insert((other.to_owned(), one.to_owned()));
            return;
        }
        if name.is_empty() || !plain(name) || !plain(element) {
            return;
        }
        let key = name.to_owned();
        let Some(how) = how else {
            // A later rule of the same sheet wins.
            if selector[mark..].starts_with('.') {
                self.classes.remove(&key);
            } else {
                self.ids.remove(&key);
            }
            return;
        };
        self.count += 1;
        let element = (!element.is_empty()).then(|| element.to_ascii_lowercase());
        let rule = Rule { element, how };
        if selector[mark..].starts_with('.') {
            self.classes.insert(key, rule);
        } else {
            self.ids.insert(key, rule);
        }
    }

    /// How an element with these attributes is hidden.
    pub(super) fn hide(
        &self,
        element: &str,
        id: Option<&str>,
        class: Option<&str>,
    ) -> Option<&'static str> {
        let fits = |rule: &&Rule| rule.element.as_deref().is_none_or(|wanted| wanted == element);
        id.and_then(|id| self.ids.get(id))
            .filter(fits)
            .or_else(|| {
                let class = class?;
                class.split_ascii_whitespace().find_map(|name| {
                    let rule = self.classes.get(name).filter(fits)?;
                    let shown = class
                        .split_ascii_whitespace()
                        .any(|other| self.shown.contains(&(name.to_owned(), other.to_owned())));
                    (!shown).then_some(rule)
                })
            })
            .map(|rule| rule.how)
    }
}

fn without_comments(sheet: &str) -> String {
    let mut bare = String::with_capacity(sheet.len());
    let mut rest = sheet;
    while let Some(open) = rest.find("/*") {
        bare.push_str(&rest[..open]);
        rest = rest[open + 2..].split_once("*/").map_or("", |parts| parts.1);
    }
    bare + rest
}

/// What follows a block that may hold blocks, from behind its opening brace.
fn after_block(block: &str) -> &str {
    let mut depth = 1_usize;
    for (at, c) in block.bytes().enumerate() {
        match c {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return &block[at + 1..];
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_that_hide() {
        for style in [
            "display:none",
            "DISPLAY : NONE !important",
            "visibility:hidden",
            "opacity:0.0",
            "position:absolute; left:-9999px",
            "text-indent:-999em",
            "clip: rect(0 0 0 0)",
            "clip:rect(1px, 1px, 1px, 1px)",
            "clip-path: inset(100%)",
            "height:0;overflow:hidden",
            "color:#fff;background:#ffffff",
            "color:white;background-color:rgb(254,255,255)",
            "color:transparent",
            "transform: scale(0)",
        ] {
            assert!(effect(style).hides.is_some(), "{style}");
        }
        for style in [
            "display:block",
            "opacity:1",
            "left:-9999px",
            "height:0",
            "color:#fff;background:#000",
            "color:#fff",
            "text-indent:-2em",
            "background:transparent;color:black",
            "margin-left:-20px",
            "display:none;display:block",
            "color:#fff;background:url(x.png) #fff",
        ] {
            assert_eq!(effect(style).hides, None, "{style}");
        }
        assert!(
            effect("font-size:0").tiny
                && effect("font-size:1px").tiny
                && !effect("font-size:1em").tiny
        );
        assert!(effect("font: 0/0 a").tiny && effect("font:12px/1.5 serif").sized);
    }

    #[test]
    fn simple_rules_of_a_sheet() {
        let mut rules = Rules::default();
        rules.add(
            "/* .seen{display:none} */ @media print { .seen { display:none } .more{opacity:0} } \
             .a, div.b, #c { display: none } .open .a2 {display:none} .d{display:none} .d{display:block} .e{display:none} .e.on{display:block}",
        );
        let hides = |element, id, class| rules.hide(element, id, class).is_some();
        assert!(
            hides("p", None, Some("x a"))
                && hides("div", None, Some("b"))
                && hides("p", Some("c"), None)
        );
        for class in ["seen", "more", "a2", "d"] {
            assert!(!hides("p", None, Some(class)), "{class}");
        }
        assert!(
            !hides("p", None, Some("b"))
                && hides("p", None, Some("e"))
                && !hides("p", None, Some("on e"))
        );
    }
}
