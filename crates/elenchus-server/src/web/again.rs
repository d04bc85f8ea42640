//! A run that was asked, as the form of the question has it.

use super::ask::{MODES, Offers, SET_UP};
use crate::runs::{Ask, BudgetAsk, WebAsk};
use elenchus_core::evidence::{DatePrecision, PartialDate};
use elenchus_core::inquiry::{Budget, Sources, WebOptions};
use elenchus_core::trace::Projection;
use std::path::Path;

/// The form as a run was asked, so that it can be asked once more. Secrets in addresses of pages are not noted with a run, and
/// neither is whether what earlier runs learned was used.
pub(super) fn again(run: &Projection, offers: &Offers) -> Ask {
    let options = &run.options;
    let is_of_it = |folder: &&String| {
        Path::new(folder).file_name().is_some_and(|name| *name == *run.corpus.name)
    };
    let expected = offers.expected.iter().find(|one| one.effort == options.effort);
    let usual = expected.map_or_else(|| Budget::of(options.effort), |one| one.budget);
    // Whoever may not look again without asking has one round.
    let rounds = if options.autonomous { options.budget.rounds } else { 1 };
    let passages = options.budget.passages;
    // Without a language model no explanation is named, whatever was asked for.
    let speaks = !run.model.starts_with("builtin:");
    Ask {
        question: run.question.clone(),
        effort: Some(options.effort),
        corpus: offers.corpora.iter().find(is_of_it).cloned(),
        web: Some(web_again(options.web.as_ref())),
        budget: BudgetAsk {
            // What every run of the effort may have is no limit that anybody set.
            rounds: (rounds != usual.rounds).then(|| u64::from(rounds)),
            passages: (passages != usual.passages).then(|| u64::from(passages)),
            model_calls: options.budget.model_calls.map(u64::from),
            tokens: options.budget.tokens,
            usd: options.budget.cost_micro_usd.map(|micro| micro as f64 / 1e6),
            seconds: options.budget.wall_ms.map(|ms| ms as f64 / 1e3),
        },
        lenses: options.lenses.clone(),
        pack: Some(
            if options.pack.is_empty() { "general" } else { options.pack.as_str() }.to_owned(),
        ),
        mode: MODES.into_iter().find(|(mode, _)| mode.name() == options.mode).map(|(mode, _)| mode),
        test: options.to_test.clone(),
        plan: options.plan.clone(),
        review_plan: options.review_plan,
        hypotheses: (speaks && !options.hypotheses).then_some(false),
        // Earlier runs without a language model do not say whether they were to be criticised.
        critique: (if speaks {
            !options.critique
        } else {
            options.measured_critique == Some(false)
        })
        .then_some(false),
        insights: options.insights,
        clarify: Some(options.clarify),
        exclude: options.exclude.clone(),
        ..Ask::default()
    }
}

/// What a run was told of the web, as the form has it.
fn web_again(web: Option<&WebOptions>) -> WebAsk {
    let Some(web) = web else {
        return WebAsk { sources: Some(Sources::Local), ..WebAsk::default() };
    };
    // Where neither was noted, the pages stood in the question, and they are read once the box is ticked.
    let is_asked = !(web.providers.is_empty() && web.pages.is_empty());
    WebAsk {
        // Which services they were is a matter of the settings, then as now.
        providers: web.providers.first().map(|_| SET_UP.to_owned()).into_iter().collect(),
        urls: web.pages.clone(),
        sources: Some(match web.sources {
            Sources::Web => Sources::Web,
            _ if is_asked => Sources::Hybrid,
            _ => Sources::Local,
        }),
        domains: web.domains.clone(),
        since: web.since.map(written),
    }
}

/// A date as its field takes it. No run is asked for halves and quarters.
fn written(date: PartialDate) -> String {
    let PartialDate { year, month, day, precision } = date;
    match precision {
        DatePrecision::Year => format!("{year:04}"),
        DatePrecision::Half | DatePrecision::Quarter | DatePrecision::Month => {
            format!("{year:04}-{month:02}")
        }
        DatePrecision::Day => format!("{year:04}-{month:02}-{day:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::web::ask::{blank, show};
    use crate::web::run::fixture::rich;
    use elenchus_core::inquiry::Effort;

    #[test]
    fn a_run_is_asked_again_as_it_was_asked() {
        let mut run = Projection::of(&rich().trace).unwrap();
        run.options.effort = Effort::Deep;
        run.options.mode = "critic".to_owned();
        run.options.pack = "theology".to_owned();
        run.options.to_test = vec!["Boats <b>wait</b>.".to_owned()];
        run.options.budget.tokens = Some(9_000);
        run.options.budget.cost_micro_usd = Some(250_000);
        run.options.budget.wall_ms = Some(90_500);
        run.options.web = Some(WebOptions {
            pages: vec!["https://a.example/?key=[secret removed]".to_owned()],
            ..WebOptions::default()
        });
        let corpora = vec!["/docs/other".to_owned(), format!("/docs/{}", run.corpus.name)];
        let offers = Offers { corpora, ..Offers::default() };
        let filled = again(&run, &offers);
        assert_eq!(filled.corpus.as_ref(), offers.corpora.last());
        let page = show(&offers, &filled, None).0;
        for chosen in [
            "value=\"deep\" checked",
            "value=\"critic\" selected",
            "value=\"theology\" selected",
            "value=\"skeptical\" checked",
            "data-key=\"more\" open",
            "Boats &lt;b&gt;wait&lt;/b&gt;.",
            "data-key=\"budget\" open",
            "name=\"tokens\" min=\"1\" max=\"1000000000\" step=\"1\" inputmode=\"decimal\" value=\"9000\"",
            "name=\"usd\" min=\"0.000001\" max=\"100000\" step=\"any\" inputmode=\"decimal\" value=\"0.25\"",
            "name=\"seconds\" min=\"1\" max=\"604800\" step=\"any\" inputmode=\"decimal\" value=\"90.5\"",
            ">https://a.example/?key=[secret removed]</textarea>",
            "noted without the secret",
        ] {
            assert!(page.contains(chosen), "{chosen}: {page}");
        }
        assert_eq!(page.matches(" selected").count(), 3, "the folder, the mode and the field");
        // Pages alone are read without a search, and a search is one again.
        assert!(!page.contains("name=\"web\" value=\"yes\" checked"), "{page}");
        if let Some(web) = &mut run.options.web {
            web.providers.push("wikipedia".to_owned());
        }
        let searched = show(&offers, &again(&run, &offers), None).0;
        assert!(searched.contains("name=\"web\" value=\"yes\" checked"), "{searched}");
        let fresh = show(&Offers::default(), &blank(), None).0;
        assert!(!fresh.contains("data-key=\"more\" open"), "{fresh}");
        assert!(!fresh.contains("data-key=\"budget\" open"), "{fresh}");
        assert!(!fresh.contains("data-key=\"bounds\" open"), "{fresh}");
        assert!(!fresh.contains("noted without"), "{fresh}");
        assert!(fresh.contains("value=\"standard\" checked"), "{fresh}");
        assert!(fresh.contains("value=\"auto\" selected"), "{fresh}");
    }

    #[test]
    fn what_bounded_a_run_bounds_it_again() {
        let mut run = Projection::of(&rich().trace).unwrap();
        let offers = Offers { corpora: vec!["/docs".to_owned()], ..Offers::default() };
        // What every run of its effort has is nothing that was asked for.
        let page = show(&offers, &again(&run, &offers), None).0;
        assert!(!page.contains("data-key=\"budget\" open"), "{page}");
        assert!(!page.contains("data-key=\"bounds\" open"), "{page}");
        assert!(!page.contains("name=\"web\" value=\"yes\" checked"), "it stayed here: {page}");
        assert!(page.contains("type=\"hidden\" name=\"corpus\" value=\"/docs\""), "{page}");
        run.options.budget.rounds = 3;
        run.options.budget.passages = 70;
        run.options.budget.model_calls = Some(12);
        run.options.exclude = vec!["drafts/".to_owned(), "a & b".to_owned()];
        (run.options.hypotheses, run.options.critique) = (false, false);
        run.options.web = Some(WebOptions {
            sources: Sources::Web,
            providers: vec!["wikipedia".to_owned()],
            domains: vec!["a.example".to_owned(), "b.example".to_owned()],
            since: Some(PartialDate::month(2025, 6)),
            ..WebOptions::default()
        });
        let page = show(&offers, &again(&run, &offers), None).0;
        for kept in [
            "name=\"rounds\" min=\"1\" max=\"10\" step=\"1\" inputmode=\"decimal\" value=\"3\"",
            "name=\"passages\" min=\"1\" max=\"100000\" step=\"1\" inputmode=\"decimal\" value=\"70\"",
            "name=\"model_calls\" min=\"1\" max=\"1000000\" step=\"1\" inputmode=\"decimal\" value=\"12\"",
            "data-key=\"bounds\" open",
            "value=\"web\" selected",
            "name=\"domains\" rows=\"2\">a.example\nb.example</textarea>",
            "value=\"2025-06\"",
            "name=\"exclude\" rows=\"2\">drafts/\na &amp; b</textarea>",
            "name=\"no_hypotheses\" value=\"yes\" checked",
            "name=\"no_critique\" value=\"yes\" checked",
        ] {
            assert!(page.contains(kept), "{kept}: {page}");
        }
        // A run whose model only quotes says nothing of critique where an earlier version made it, and one that may not look again
        // has one round.
        run.model = "builtin:extractive".to_owned();
        run.options.autonomous = false;
        let filled = again(&run, &offers);
        assert_eq!((filled.hypotheses, filled.critique), (None, None));
        run.options.measured_critique = Some(false);
        assert_eq!(again(&run, &offers).critique, Some(false), "it was turned off");
        run.options.measured_critique = Some(true);
        assert_eq!(again(&run, &offers).critique, None);
        assert_eq!(filled.budget.rounds, Some(1));
        for (date, field) in [
            (PartialDate::year(2025), "2025"),
            (PartialDate::quarter(2025, 2), "2025-04"),
            (PartialDate::day(2025, 6, 30), "2025-06-30"),
        ] {
            assert_eq!(written(date), field);
        }
    }
}
