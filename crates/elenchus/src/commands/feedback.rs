//! `elenchus feedback`: what a claim turned out to be, so that later figures learn from it.

use super::figures::{Figures, Kept};
use super::runs::{Named, existing};
use super::store_path;
use crate::cli::{FeedbackArgs, RunArgs, SaidArg, StoreArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::feedback::{Feedback, Figure, Said, forget, keep, of_run};
use crate::opinions;
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::port::{
    Basis, Clock, LOCAL, Matter, RIGHT, Remark, WRONG, holding, plain_note, word,
};
use elenchus_core::text::squeeze;
use elenchus_io::clock::SystemClock;
use serde_json::json;
use std::fmt::Write;

pub(super) async fn run(args: FeedbackArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    if args.forget {
        return forget_all(args.yes, args.store, config, terminal).await;
    }
    goes_with_a_word(&args)?;
    if let (Some(insight), Some(id)) = (&args.insight, &args.run) {
        let run = RunArgs { id: id.clone(), store: args.store };
        let note = args.note.as_deref();
        return super::insights::judge(insight, note, run, args.json, config, terminal).await;
    }
    let (Some(claim), Some(said)) = (&args.claim, args.said) else {
        return show(args.json, args.run, args.store, config, terminal).await;
    };
    if args.file.is_none() && args.run.is_none() {
        return Err(CliError::usage(
            format!("could not tell which {claim} is meant"),
            "neither a file nor a run was named",
            "add --run RUN (see `elenchus runs list`), or --in FILE.json",
        ));
    }
    let figures = Figures::find(args.file.as_deref(), args.run, args.store, config).await?;
    let note = args.note.as_deref().and_then(plain_note);
    let judged = Judged { claim: claim.trim(), said, note };
    match &figures.kept {
        Some(kept) => of_a_run(&judged, &figures, kept, args.json, config, terminal).await,
        None => of_a_file(judged, &figures, args.json, terminal),
    }
}

/// A word on a claim.
struct Judged<'a> {
    claim: &'a str,
    said: SaidArg,
    note: Option<String>,
}

/// A note is about something, and stands beside a word on it.
fn goes_with_a_word(args: &FeedbackArgs) -> Result<()> {
    if args.note.is_none() {
        return Ok(());
    }
    let (of_insight, of_claim) = (args.insight.as_deref(), args.said);
    let cause = match (of_insight, of_claim) {
        (None, None) => "it is not said what it is about",
        (Some([_, word]), _) if word == "forget" => "what is taken back has no note",
        (_, Some(SaidArg::Forget)) => "what is taken back has no note",
        _ => return Ok(()),
    };
    Err(CliError::usage(
        "could not keep the note",
        cause,
        "write it after a word, as in `elenchus feedback c1 wrong --run RUN --note TEXT`",
    ))
}

/// Keeps a word on a statement of a run in its store, as the pages, HTTP and the terminal do.
async fn of_a_run(
    judged: &Judged<'_>,
    figures: &Figures,
    kept: &Kept,
    as_json: bool,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let target = judged.claim;
    let mut claims = kept.answer.iter().flat_map(|answer| &answer.claims);
    let text = match claims.find(|one| one.id.as_str() == target) {
        Some(claim) => squeeze(&claim.text),
        None => {
            let (at, all) = figures.claim(target, "judge")?;
            squeeze(&all[at].claim_text)
        }
    };
    let said = match judged.said {
        SaidArg::Right => Some(RIGHT),
        SaidArg::Wrong => Some(WRONG),
        SaidArg::Forget => None,
    };
    if said.is_none() {
        let held = opinions::held(&*kept.store, Some(&kept.run)).await?;
        let in_store = word(&held, &kept.run, Matter::Claim, target).is_some();
        let from = of_run(&kept.run, target);
        if !in_store && !Feedback::load(&[])?.said.iter().any(|one| one.from == from) {
            return Err(nothing_said(target, &figures.from));
        }
    }
    let now = SystemClock.now();
    let remark = Remark::new(&kept.run, Matter::Claim, target, LOCAL, said, now);
    let remark = remark.noting(judged.note.as_deref().unwrap_or_default());
    let answer = kept.answer.as_ref();
    let remark = elenchus_engine::keep_remark(&*kept.store, remark, answer).await?;
    opinions::lead(&kept.place, config, &remark, answer, terminal).await;
    let basis: Option<Basis> =
        remark.basis.as_deref().and_then(|json| serde_json::from_str(json).ok());
    if as_json {
        return terminal.print_json(&json!({
            "at": remark.at,
            "from": figures.from,
            "claim_id": target,
            "claim": text,
            "said": remark.said,
            "right": remark.said.as_deref().map(|word| word == RIGHT),
            "note": remark.note,
            "calibration": basis.as_ref().map(|basis| &basis.calibration),
            "figure": basis.as_ref().map(|basis| basis.figure),
        }));
    }
    terminal.print(&match (&remark.said, basis) {
        (None, _) => taken_back(target, &figures.from),
        (Some(_), Some(basis)) => learnt(basis.figure),
        (Some(_), None) => "noted; it has no figure that later ones could learn from\n".to_owned(),
    })
}

/// Keeps a word on a claim of a file among the judgements of this machine.
fn of_a_file(
    judged: Judged<'_>,
    figures: &Figures,
    as_json: bool,
    terminal: &Terminal,
) -> Result<()> {
    let Judged { claim, said, note } = judged;
    let (at, all) = figures.claim(claim, "judge")?;
    let Some(figure) = Figure::of(figures.bearing(at), &all[at]) else {
        return Err(CliError::usage(
            format!("could not learn from {claim} of {}", figures.from),
            "it has no calibrated figure that could have been right or wrong",
            "judge a claim that was checked",
        ));
    };
    let from = format!("{} {claim}", figures.from);
    let text = squeeze(&all[at].claim_text);
    let before = Feedback::load(&[])?;
    let before = before.said.iter().find(|one| one.from == from && one.claim == text);
    let taken_back_now = said == SaidArg::Forget;
    if taken_back_now && before.is_none() {
        return Err(nothing_said(claim, &figures.from));
    }
    let said = Said {
        at: SystemClock.now().0,
        claim: text,
        from,
        calibration: wire::judging_builtin().calibration.version,
        figure,
        right: match before {
            Some(before) if taken_back_now => before.right,
            _ => said == SaidArg::Right,
        },
        actor: String::new(),
        note,
        taken_back: taken_back_now,
    };
    keep(&said)?;
    if as_json {
        return terminal.print_json(&said);
    }
    terminal.print(&if said.taken_back { taken_back(claim, &figures.from) } else { learnt(figure) })
}

fn nothing_said(claim: &str, from: &str) -> CliError {
    CliError::usage(
        format!("could not take back what you said of {claim} of {from}"),
        "nothing was said of it",
        "`elenchus feedback` shows what was said",
    )
}

fn taken_back(claim: &str, from: &str) -> String {
    format!("what you said of {claim} of {from} is taken back\n")
}

fn learnt(figure: Figure) -> String {
    let about = match figure {
        Figure::Bearing(bearing) => format!("answers of {} bearing", bearing.name()),
        Figure::Fitted(p) => format!("figures near {p:.2}"),
    };
    format!("noted; {about} will be corrected by it\n")
}

/// Nothing brings back what is forgotten here, so it is asked first.
async fn forget_all(
    yes: bool,
    store: StoreArgs,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let asked = "forget everything that was said about figures, insights and scored memos?";
    if !yes && !terminal.agreed(asked)? {
        terminal.say("nothing was forgotten");
        return Ok(());
    }
    let place = store_path(store.store, config)?;
    let store = existing(&place)?;
    opinions::forget(store.as_deref(), &place, config, SystemClock.now()).await?;
    forget()?;
    super::memos::forget()?;
    terminal
        .print("everything that was said about figures, insights and scored memos is forgotten\n")
}

/// What was said, of one run or of all; with the words on insights, and those on statements without a figure.
async fn show(
    as_json: bool,
    run: Option<String>,
    store: StoreArgs,
    config: &Config,
    terminal: &Terminal,
) -> Result<()> {
    let (store, only) = match run {
        Some(id) => {
            let named = Named::find(RunArgs { id, store }, config).await?;
            (Some(named.store), Some(named.id))
        }
        None => (existing(&store_path(store.store, config)?)?, None),
    };
    let (remarks, mut held) = match &store {
        Some(store) => {
            (store.remarks(only.as_ref()).await?, opinions::held(&**store, only.as_ref()).await?)
        }
        None => (Vec::new(), holding(opinions::before()?)),
    };
    let mut feedback = Feedback::load(&remarks)?;
    if let Some(run) = &only {
        let of_it = of_run(run, "");
        feedback.said.retain(|said| said.from.starts_with(&of_it));
    }
    held.retain(|one| match one.about {
        Matter::Insight => true,
        Matter::Claim => {
            let from = of_run(&one.run_id, &one.target);
            feedback.said.iter().all(|said| said.from != from)
        }
        Matter::Answer | Matter::Export => false,
    });
    let version = wire::judging_builtin().calibration.version;
    let counts = feedback.said.iter().filter(|said| said.calibration == version).count();
    if as_json {
        return terminal.print_json(&json!({
            "judgements": feedback.said,
            "others": held,
            "used": counts,
            "unread_lines": feedback.unread,
            "calibration": version,
        }));
    }
    let mut out = String::new();
    for said in &feedback.said {
        let word = if said.right { RIGHT } else { WRONG };
        let _ = writeln!(out, "{word:5}  {}: {}", squeeze(&said.from), squeeze(&said.claim));
        note(&mut out, said.note.as_deref());
    }
    for one in &held {
        let word = one.said.as_deref().unwrap_or_default();
        let _ = writeln!(out, "{word:5}  {}", of_run(&one.run_id, &squeeze(&one.target)));
        note(&mut out, one.note.as_deref());
    }
    let _ = writeln!(
        out,
        "{}, {counts} of them under the present calibration {version}, which learns from them",
        counted(feedback.said.len(), "judgement")
    );
    if feedback.unread > 0 {
        let _ = writeln!(out, "{} of the file could not be read", counted(feedback.unread, "line"));
    }
    terminal.print(&out)
}

/// A note below what it stands beside.
fn note(out: &mut String, note: Option<&str>) {
    if let Some(note) = note {
        let _ = writeln!(out, "       note: {}", squeeze(note));
    }
}
