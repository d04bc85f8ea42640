//! Folders of models: which files belong to one, and whether they are those that were pulled.
//!
//! A pulled model lies in a folder of its own beside a manifest with the size and the hash of each file. A folder
//! without a manifest is a person's own and is used as it is.

use super::error::NliError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Where exports keep the model, the first that there is being used.
pub const MODEL_FILES: [&str; 4] =
    ["model.onnx", "onnx/model.onnx", "model_quantized.onnx", "onnx/model_quantized.onnx"];
/// The tokenizer's rules and vocabulary.
pub const TOKENIZER: &str = "tokenizer.json";
/// The model's shape and labels.
pub const CONFIG: &str = "config.json";
/// What was pulled, in the model's folder.
pub const MANIFEST: &str = "elenchus-model.json";

/// The model's file in a folder.
pub fn model_file(dir: &Path) -> Option<PathBuf> {
    MODEL_FILES.iter().map(|name| dir.join(name)).find(|file| file.is_file())
}

/// Size in bytes and hash (SHA-256, lower-case hexadecimal) of a file.
fn contents(file: &Path) -> io::Result<(u64, String)> {
    let mut file = File::open(file)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    let mut bytes = 0;
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok((bytes, elenchus_core::id::hex(&hash.finalize())));
        }
        bytes += read as u64;
        hash.update(&buffer[..read]);
    }
}

/// Where the weights of a large model may lie: beside it.
pub(super) fn outside(model: &str) -> [String; 2] {
    ["_data", ".data"].map(|end| format!("{model}{end}"))
}

/// What was pulled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The shape of this file: 1.
    pub v: u32,
    /// The model's name.
    pub name: String,
    /// Where it was copied from.
    pub from: String,
    /// Its files, the model first.
    pub files: Vec<Kept>,
}

/// A file of a model.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Kept {
    /// Relative to the folder, with `/`.
    pub path: String,
    /// In bytes.
    pub bytes: u64,
    /// Lower-case hexadecimal.
    pub sha256: String,
}

/// How the files of a folder stand to its manifest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "state", content = "files", rename_all = "snake_case")]
pub enum State {
    /// All are there and are what was pulled.
    Intact,
    /// These are others than those that were pulled.
    Changed(Vec<String>),
    /// These are missing.
    Incomplete(Vec<String>),
    /// There is no manifest that could be read: nothing is known about the files.
    Unknown,
}

impl Manifest {
    /// Reads the manifest of a folder; `None` without one. One that is damaged is an error.
    pub fn read(dir: &Path) -> Result<Option<Self>, NliError> {
        let damaged = |cause: String| NliError::Changed {
            folder: dir.display().to_string(),
            cause: format!("its {MANIFEST} cannot be read ({cause})"),
        };
        match fs::read(dir.join(MANIFEST)) {
            Ok(bytes) => {
                let manifest: Self =
                    serde_json::from_slice(&bytes).map_err(|error| damaged(error.to_string()))?;
                let inside = manifest.files.iter().all(|file| within(&file.path));
                if !inside || manifest.files.is_empty() {
                    return Err(damaged("it names no files of this folder".to_owned()));
                }
                Ok(Some(manifest))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(damaged(error.to_string())),
        }
    }

    /// Reads every file again. A file that cannot be read counts as missing.
    pub fn state(&self, dir: &Path) -> State {
        let (mut missing, mut changed) = (Vec::new(), Vec::new());
        for file in &self.files {
            match contents(&dir.join(&file.path)) {
                Err(_) => missing.push(file.path.clone()),
                Ok(found) if found != (file.bytes, file.sha256.clone()) => {
                    changed.push(file.path.clone());
                }
                Ok(_) => {}
            }
        }
        match (missing.is_empty(), changed.is_empty()) {
            (false, _) => State::Incomplete(missing),
            (true, false) => State::Changed(changed),
            (true, true) => State::Intact,
        }
    }
}

/// Whether a path stays below the folder that it is relative to.
fn within(path: &str) -> bool {
    let plain = |part| matches!(part, std::path::Component::Normal(_));
    !path.is_empty() && Path::new(path).components().all(plain)
}

/// Refuses a pulled folder whose files are not those that were pulled. A folder without a manifest passes.
pub fn check(dir: &Path) -> Result<(), NliError> {
    let Some(manifest) = Manifest::read(dir)? else { return Ok(()) };
    let changed = |cause| Err(NliError::Changed { folder: dir.display().to_string(), cause });
    match manifest.state(dir) {
        State::Intact | State::Unknown => Ok(()),
        State::Changed(files) => changed(format!(
            "{} changed since the model was pulled (the hash is another)",
            files.join(", ")
        )),
        State::Incomplete(files) => changed(format!("{} cannot be read", files.join(", "))),
    }
}

/// The files of a model in a folder: the model with its outside weights, if it has such, the tokenizer and the
/// configuration. Names what is missing.
fn members(from: &Path) -> Result<Vec<String>, String> {
    if !from.is_dir() {
        return Err(format!("there is no folder {}", from.display()));
    }
    let model = MODEL_FILES.iter().find(|name| from.join(name).is_file());
    let mut missing: Vec<&str> = Vec::new();
    if model.is_none() {
        missing.push(MODEL_FILES[0]);
    }
    missing.extend([TOKENIZER, CONFIG].into_iter().filter(|name| !from.join(name).is_file()));
    let (Some(model), true) = (model, missing.is_empty()) else {
        return Err(format!("{} has no {}", from.display(), missing.join(" and no ")));
    };
    let mut files = vec![(*model).to_owned()];
    files.extend(outside(model).into_iter().filter(|name| from.join(name).is_file()));
    files.extend([TOKENIZER.to_owned(), CONFIG.to_owned()]);
    Ok(files)
}

/// Copies a model from a folder into `models/NAME` and notes the hashes of its files. What was there under the name
/// is replaced as a whole, or stays as it was when anything fails.
///
/// `origin` is what the manifest says they come from, where it is not the folder. `expected` are hashes that are known beforehand, by path; a file that has another is refused.
pub fn keep(
    from: &Path,
    models: &Path,
    name: &str,
    expected: &[(&str, &str)],
    origin: Option<&str>,
) -> Result<Manifest, NliError> {
    let failed = |cause: String, way_out: &str| NliError::Keep {
        name: name.to_owned(),
        cause,
        way_out: way_out.to_owned(),
    };
    if !is_name(name) {
        return Err(failed(
            "that is no name for a folder".to_owned(),
            "use letters, digits, `-`, `_` and `.`, at most 64, a letter or digit first",
        ));
    }
    let files = members(from).map_err(|cause| {
        let way_out = "name a folder that holds model.onnx (or onnx/model.onnx), tokenizer.json and config.json";
        failed(cause, way_out)
    })?;
    let room = "check that the models folder may be written and has room";
    let part = models.join(format!(".{name}.{}.part", std::process::id()));
    let copy = || -> Result<Manifest, NliError> {
        let mut kept = Vec::with_capacity(files.len());
        for path in &files {
            let target = part.join(path);
            let unwritten = |error: io::Error| failed(format!("{path}: {error}"), room);
            fs::create_dir_all(target.parent().unwrap_or(&part)).map_err(unwritten)?;
            fs::copy(from.join(path), &target).map_err(unwritten)?;
            // The copy is what later loads read.
            File::open(&target).and_then(|file| file.sync_all()).map_err(unwritten)?;
            let (bytes, sha256) = contents(&target).map_err(unwritten)?;
            let known = expected.iter().find(|(of, _)| of == path).map(|(_, hash)| *hash);
            if known.is_some_and(|hash| hash != sha256) {
                return Err(failed(
                    format!("{path} has the hash {sha256}, not the known one"),
                    "download the file again: it is damaged or another version",
                ));
            }
            kept.push(Kept { path: path.clone(), bytes, sha256 });
        }
        let from = origin.map_or_else(|| from.display().to_string(), str::to_owned);
        let manifest = Manifest { v: 1, name: name.to_owned(), from, files: kept };
        let json = serde_json::to_vec_pretty(&manifest)
            .map_err(|error| failed(error.to_string(), "give the folder a name in UTF-8"))?;
        let note = File::create(part.join(MANIFEST)).and_then(|mut file| {
            file.write_all(&json)?;
            file.sync_all()
        });
        note.and_then(|()| exchange(&part, &models.join(name)))
            .map_err(|error| failed(error.to_string(), room))?;
        Ok(manifest)
    };
    // What a process with the same number left behind.
    let _ = fs::remove_dir_all(&part);
    copy().inspect_err(|_| {
        let _ = fs::remove_dir_all(&part);
    })
}

/// Puts a folder in the place of another.
fn exchange(new: &Path, place: &Path) -> io::Result<()> {
    let mut old = new.as_os_str().to_owned();
    old.push(".old");
    let old = PathBuf::from(old);
    let replaced = match fs::rename(place, &old) {
        Ok(()) => true,
        Err(error) if error.kind() == io::ErrorKind::NotFound => false,
        Err(error) => return Err(error),
    };
    fs::rename(new, place).inspect_err(|_| {
        if replaced {
            let _ = fs::rename(&old, place);
        }
    })?;
    if replaced {
        let _ = fs::remove_dir_all(&old);
    }
    Ok(())
}

/// Whether a text can name a model: a folder's name that means the same everywhere.
pub fn is_name(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    name.len() <= 64
        && name.chars().all(plain)
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
}

/// The pulled models in a folder with the state of their files, by name. A folder that is not there has none.
pub fn installed(models: &Path) -> io::Result<Vec<(String, State, Option<Manifest>)>> {
    let entries = match fs::read_dir(models) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut found = Vec::new();
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if !entry.path().is_dir() || !is_name(&name) {
            continue;
        }
        let manifest = Manifest::read(&entry.path()).ok().flatten();
        let state = manifest.as_ref().map_or(State::Unknown, |m| m.state(&entry.path()));
        found.push((name, state, manifest));
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(names: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for name in names {
            let file = dir.path().join(name);
            fs::create_dir_all(file.parent().expect("a folder")).expect("a writable folder");
            fs::write(file, name.as_bytes()).expect("a writable folder");
        }
        dir
    }

    #[test]
    fn what_was_kept_is_intact_until_it_is_touched() {
        let from =
            source(&["onnx/model.onnx", "onnx/model.onnx_data", TOKENIZER, CONFIG, "README.md"]);
        let models = tempfile::tempdir().expect("a temporary folder");
        let manifest = keep(from.path(), models.path(), "small", &[], None).expect("it is kept");
        let paths: Vec<&str> = manifest.files.iter().map(|file| file.path.as_str()).collect();
        assert_eq!(paths, ["onnx/model.onnx", "onnx/model.onnx_data", TOKENIZER, CONFIG]);
        let dir = models.path().join("small");
        let list = || installed(models.path()).expect("a readable folder");
        assert_eq!(list(), [("small".to_owned(), State::Intact, Some(manifest.clone()))]);
        assert_eq!(check(&dir), Ok(()));

        fs::write(dir.join(TOKENIZER), b"another text!!").expect("a writable folder");
        assert_eq!(manifest.state(&dir), State::Changed(vec![TOKENIZER.to_owned()]));
        let refused = check(&dir).expect_err("a file changed").to_string();
        assert!(
            refused.contains("tokenizer.json changed") && refused.contains("pull"),
            "{refused}"
        );
        fs::remove_file(dir.join(CONFIG)).expect("the file is there");
        assert_eq!(manifest.state(&dir), State::Incomplete(vec![CONFIG.to_owned()]));
        assert!(check(&dir).is_err());

        keep(from.path(), models.path(), "small", &[], None).expect("it is kept again");
        assert_eq!(list()[0].1, State::Intact);
        assert_eq!(fs::read_dir(models.path()).expect("a readable folder").count(), 1);
    }

    #[test]
    fn what_is_missing_is_named_and_nothing_is_left() {
        let from = source(&["model_quantized.onnx"]);
        let models = tempfile::tempdir().expect("a temporary folder");
        let told = keep(from.path(), models.path(), "x", &[], None).expect_err("files are missing");
        let told = told.to_string();
        assert!(told.contains("no tokenizer.json and no config.json"), "{told}");
        let none = keep(&from.path().join("none"), models.path(), "x", &[], None);
        assert!(none.expect_err("no folder").to_string().contains("there is no folder"));
        for name in ["", "..", "a/b", ".hidden", "a b", &"a".repeat(65)] {
            assert!(keep(from.path(), models.path(), name, &[], None).is_err(), "{name:?}");
        }
        assert_eq!(fs::read_dir(models.path()).expect("a readable folder").count(), 0);
        assert_eq!(installed(&models.path().join("none")).expect("none is no error"), []);
    }

    #[test]
    fn a_known_hash_that_differs_is_refused_and_the_old_model_stays() {
        let from = source(&["model.onnx", TOKENIZER, CONFIG]);
        let models = tempfile::tempdir().expect("a temporary folder");
        let first = keep(from.path(), models.path(), "m", &[], None).expect("it is kept");
        let known = first.files[0].sha256.clone();
        fs::write(from.path().join("model.onnx"), b"swapped").expect("a writable folder");
        let expected = [("model.onnx", known.as_str())];
        let told =
            keep(from.path(), models.path(), "m", &expected, None).expect_err("another hash");
        assert!(told.to_string().contains("not the known one"), "{told}");
        assert_eq!(first.state(&models.path().join("m")), State::Intact);
    }

    #[test]
    fn a_manifest_cannot_name_files_elsewhere() {
        let dir = source(&["model.onnx"]);
        for path in ["../x", "/etc/hosts", ""] {
            let kept = Kept { path: path.to_owned(), bytes: 0, sha256: String::new() };
            let manifest =
                Manifest { v: 1, name: "m".to_owned(), from: String::new(), files: vec![kept] };
            let json = serde_json::to_vec(&manifest).expect("it is JSON");
            fs::write(dir.path().join(MANIFEST), json).expect("a writable folder");
            assert!(Manifest::read(dir.path()).is_err(), "{path}");
        }
        fs::write(dir.path().join(MANIFEST), b"{").expect("a writable folder");
        assert!(check(dir.path()).is_err());
    }

    #[test]
    fn the_hash_is_the_usual_one() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let file = dir.path().join("x");
        fs::write(&file, b"abc").expect("a writable folder");
        let sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(contents(&file).expect("it is readable"), (3, sha256.to_owned()));
    }
}
