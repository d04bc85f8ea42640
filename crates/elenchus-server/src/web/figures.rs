//! Charts as the pages show them: with buttons that save them as files.

use super::words::visible;
use elenchus_core::chart::Figure;
use maud::{Markup, PreEscaped, html};

/// A chart with its twin. The buttons show themselves with the script that obeys them; what is exported has none.
pub(super) fn chart(figure: &Figure) -> Markup {
    let title = visible(&figure.title);
    let saves = html! {
        p.saves {
            @for (format, name) in [("svg", "SVG"), ("png", "PNG")] {
                button.quiet.small type="button" data-save=(format) hidden {
                    "Save" span.sr { " the chart \u{2018}" (title) "\u{2019}" } " as " (name)
                }
            }
        }
    };
    PreEscaped(figure.to_html_with(&saves.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use elenchus_core::chart::Table;

    #[test]
    fn a_chart_is_offered_as_a_file() {
        let figure = Figure {
            svg: "<svg/>".to_owned(),
            title: "Tides <b>".to_owned(),
            summary: "They rise.".to_owned(),
            table: Table::default(),
            list: Vec::new(),
        };
        let page = chart(&figure).0;
        assert!(page.starts_with("<figure class=\"chart\">") && page.ends_with("</figure>"));
        for (format, name) in [("svg", "SVG"), ("png", "PNG")] {
            let button = format!(
                "data-save=\"{format}\" hidden>Save<span class=\"sr\"> the chart \u{2018}Tides &lt;b&gt;\u{2019}</span> as {name}</button>"
            );
            assert!(page.contains(&button), "{page}");
        }
        // A page that is read offline has the chart and its table alone.
        assert!(!figure.to_html().contains("button"));
    }
}
