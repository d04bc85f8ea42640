//! The report as one page that needs nothing but itself.

use super::inline::{blocks, inline};
use super::reference::{Reference, iso};
use crate::answer::figures::{Ground, figures};
use crate::answer::{Answer, display_quote, render};
use crate::chart;
use crate::text::escape_markup as escape;
use base64::prelude::{BASE64_STANDARD, Engine};
use sha2::{Digest, Sha256};
use std::fmt::Write;

const STYLE: &str = "\
:root{color-scheme:light dark;background:Canvas;color:CanvasText}\
body{font:1rem/1.55 system-ui,sans-serif;max-width:46rem;margin:2rem auto;padding:0 1rem}\
h1{font-size:1.5rem;line-height:1.25}h2{font-size:1.15rem;margin-top:2rem}\
li{margin:.3rem 0}ol.sources>li{margin:.8rem 0}\
.about,.foot{opacity:.75;font-size:.9rem}\
q,li,p,h1,td,th{overflow-wrap:anywhere}\
@media print{body{max-width:none;margin:0}a{color:inherit;text-decoration:none}.about,.foot{opacity:1}h2{break-after:avoid}}";

/// The report as one HTML page: no script, nothing remote, and a policy that forbids both. Whatever is quoted is text; links
/// lead to web sources and to the list of sources only.
pub fn to_html(answer: &Answer) -> String {
    to_html_on(answer, Ground::default())
}

/// The same with charts of what the run was allowed and of what its figures are worth.
pub fn to_html_on(answer: &Answer, ground: Ground<'_>) -> String {
    let mut out = String::new();
    write(&mut out, answer, ground).expect("writing to a String cannot fail");
    out
}

fn write(out: &mut String, answer: &Answer, ground: Ground<'_>) -> std::fmt::Result {
    let style = [STYLE, chart::STYLE].concat();
    let question = display_quote(&answer.question, &[]);
    let sources = answer.sources.len();
    let title = escape(&crate::text::squeeze(&answer.question));
    writeln!(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">")?;
    writeln!(
        out,
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-{}'; base-uri 'none'; \
         form-action 'none'\">",
        BASE64_STANDARD.encode(Sha256::digest(style.as_bytes()))
    )?;
    writeln!(out, "<meta name=\"referrer\" content=\"no-referrer\">")?;
    writeln!(out, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")?;
    writeln!(out, "<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<main>")?;
    writeln!(out, "<h1>{}</h1>", inline(&question, 0))?;
    writeln!(
        out,
        "<p class=\"about\">Run {} over {}, answered by {} ({}).</p>",
        escape(answer.run_id.as_str()),
        escape(&crate::text::squeeze(&answer.corpus)),
        escape(&crate::text::squeeze(&answer.model)),
        escape(answer.stop_reason.name())
    )?;
    out.push_str(&blocks(&render::body(answer), sources));
    writeln!(out, "<h2>Figures</h2>")?;
    for figure in figures(answer, ground, "figure") {
        writeln!(out, "<h3>{}</h3>\n{}", escape(&figure.title), figure.to_html())?;
    }
    list(out, answer)?;
    writeln!(out, "<p class=\"foot\">{}</p>", inline(&render::closing(answer), 0))?;
    writeln!(out, "</main>\n</body>\n</html>")
}

fn list(out: &mut String, answer: &Answer) -> std::fmt::Result {
    if answer.sources.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h2>Sources</h2>\n<ol class=\"sources\">")?;
    for one in Reference::all(answer) {
        let number = one.number;
        writeln!(out, "<li id=\"source-{number}\" value=\"{number}\">{}", escape(&one.title))?;
        if let Some(url) = &one.url {
            let url = escape(url);
            writeln!(out, "<br><a href=\"{url}\" rel=\"noreferrer noopener nofollow\">{url}</a>")?;
        }
        if let Some(path) = &one.path {
            writeln!(out, "<br>{}", escape(path))?;
        }
        let mut about: Vec<String> = one.author.iter().map(|author| escape(author)).collect();
        about.extend(one.date.as_ref().map(|date| escape(&date.value.to_string())));
        about.push(format!("read {}", iso(one.accessed)));
        writeln!(out, "<br><span class=\"about\">{}</span>", about.join(", "))?;
        if !one.quotes.is_empty() {
            writeln!(out, "<ul>")?;
            for (place, quote) in &one.quotes {
                writeln!(out, "<li>{}: <q dir=\"auto\">{}</q></li>", escape(place), escape(quote))?;
            }
            writeln!(out, "</ul>")?;
        }
        writeln!(out, "</li>")?;
    }
    writeln!(out, "</ol>")
}

#[cfg(test)]
mod tests {
    use super::super::fixture::{answer, with_claims};
    use super::*;

    #[test]
    fn a_page_is_complete() {
        insta::assert_snapshot!(to_html(&with_claims(answer())));
    }
}
