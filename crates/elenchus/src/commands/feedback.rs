//! `elenchus feedback`: what a claim turned out to be, so that later figures learn from it.

use super::figures::Figures;
use super::runs::existing;
use super::store_path;
use crate::cli::{FeedbackArgs, RunArgs, SaidArg, StoreArgs};
use crate::config::Config;
use crate::error::{CliError, Result};
use crate::feedback::{Feedback, Figure, Said, forget, keep};
use crate::ui::progress::counted;
use crate::ui::terminal::Terminal;
use crate::wire;
use elenchus_core::port::{Basis, Clock, LOCAL, Matter, RIGHT, Remark, WRONG};
use elenchus_core::text::squeeze;
use elenchus_io::clock::SystemClock;
use serde_json::json;
use std::fmt::Write;

pub(super) async fn run(args: FeedbackArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    if args.forget {
        return forget_all(args.yes, args.store, config, terminal).await;
    }
    if let (Some(insight), Some(id)) = (&args.insight, &args.run) {
        let run = RunArgs { id: id.clone(), store: args.store };
        return super::insights::judge(insight, run, args.json, config, terminal).await;
    }
    let (Some(claim), Some(said)) = (&args.claim, args.said) else {
        return show(args.json, args.store, config, terminal).await;
    };
    if args.file.is_none() && args.run.is_none() {
        return Err(CliError::usage(
            format!("could not tell which {claim} is meant"),
            "neither a file nor a run was named",
            "add --run RUN (see `elenchus runs list`), or --in FILE.json",
        ));
    }
    let figures = Figures::find(args.file.as_deref(), args.run, args.store, config).await?;
    let (at, all) = figures.claim(claim, "judge")?;
    let figure = match (figures.bearing(at), all[at].fitted.or(all[at].calibrated)) {
        (Some(bearing), _) => Figure::Bearing(bearing),
        (None, Some(fitted)) => Figure::Fitted(fitted),
        (None, None) => {
            return Err(CliError::usage(
                format!("could not learn from {claim} of {}", figures.from),
                "it has no calibrated figure that could have been right or wrong",
                "judge a claim that was checked",
            ));
        }
    };
    let now = SystemClock.now();
    let kept = figures.kept.as_ref();
    let calibration = kept.and_then(|kept| kept.calibration.clone());
    let said = Said {
        at: now.0,
        claim: squeeze(&all[at].claim_text),
        from: format!("{} {}", figures.from, claim.trim()),
        calibration: calibration.unwrap_or_else(|| wire::judging_builtin().calibration.version),
        figure,
        right: said == SaidArg::Right,
        actor: String::new(),
    };
    match kept {
        Some(kept) => {
            let basis = Basis {
                claim: said.claim.clone(),
                calibration: said.calibration.clone(),
                figure: said.figure,
            };
            let word = if said.right { RIGHT } else { WRONG };
            let target = claim.trim();
            let remark = Remark::new(&kept.run, Matter::Claim, target, LOCAL, Some(word), now);
            let remark = remark.resting_on(Some(&basis));
            kept.store.remark(&remark).await?;
            let answer = kept.answer.as_ref();
            crate::opinions::lead(&kept.place, config, &remark, answer, terminal).await;
        }
        None => {
            keep(&said)?;
        }
    }
    if args.json {
        return terminal.print_json(&said);
    }
    let about = match figure {
        Figure::Bearing(bearing) => format!("answers of {} bearing", bearing.name()),
        Figure::Fitted(p) => format!("figures near {p:.2}"),
    };
    terminal.print(&format!("noted; {about} will be corrected by it\n"))
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
    crate::opinions::forget(store.as_deref(), &place, config, SystemClock.now()).await?;
    forget()?;
    super::memos::forget()?;
    terminal
        .print("everything that was said about figures, insights and scored memos is forgotten\n")
}

async fn show(as_json: bool, store: StoreArgs, config: &Config, terminal: &Terminal) -> Result<()> {
    let remarks = match existing(&store_path(store.store, config)?)? {
        Some(store) => store.remarks(None).await?,
        None => Vec::new(),
    };
    let feedback = Feedback::load(&remarks)?;
    let version = wire::judging_builtin().calibration.version;
    let counts = feedback.said.iter().filter(|said| said.calibration == version).count();
    if as_json {
        return terminal.print_json(&json!({
            "judgements": feedback.said,
            "used": counts,
            "unread_lines": feedback.unread,
            "calibration": version,
        }));
    }
    let mut out = String::new();
    for said in &feedback.said {
        let word = if said.right { "right" } else { "wrong" };
        let _ = writeln!(out, "{word:5}  {}: {}", squeeze(&said.from), squeeze(&said.claim));
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
