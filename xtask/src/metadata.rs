//! What `cargo metadata` says about the packages, reduced to what the tidy checks ask.

use std::path::Path;
use std::process::Command;

use crate::json::{self, Json};
use crate::step::cargo;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) version: String,
    pub(crate) licence: Option<String>,
    /// `Some(path of its Cargo.toml in the workspace)` for our own crates.
    pub(crate) manifest: Option<String>,
    pub(crate) origin: Origin,
    pub(crate) dependencies: Vec<Dependency>,
}

/// Where the sources of a package come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A folder of this workspace.
    Ours,
    /// A folder outside it.
    Folder,
    /// A registry, as cargo names it.
    Registry(String),
    /// Anything else, such as a repository, as cargo names it.
    Other(String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Dependency {
    pub(crate) name: String,
    /// Under `[dev-dependencies]`: never shipped.
    pub(crate) dev: bool,
}

/// Asks cargo about all features and all platforms, so that an optional backend is checked too.
pub(crate) fn read(root: &Path) -> Result<Vec<Package>, String> {
    packages(&ask(root, &["--all-features"])?)
}

/// What cargo says of the workspace, whole.
pub(crate) fn ask(root: &Path, more: &[&str]) -> Result<Json, String> {
    let output = Command::new(cargo())
        .args(["metadata", "--format-version", "1", "--locked"])
        .args(more)
        .current_dir(root)
        .output()
        .map_err(|error| format!("cargo metadata does not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    json::parse(&String::from_utf8_lossy(&output.stdout))
}

/// The packages of what cargo said.
pub(crate) fn packages(json: &Json) -> Result<Vec<Package>, String> {
    let root = field(json, "workspace_root")?;
    json.get("packages")
        .map_or(&[][..], Json::array)
        .iter()
        .map(|item| package(item, &root))
        .collect()
}

fn package(item: &Json, root: &str) -> Result<Package, String> {
    let ours = item.get("source") == Some(&Json::Null);
    let whole = field(item, "manifest_path")?;
    let inside = whole.strip_prefix(root).filter(|rest| rest.starts_with(['/', '\\']));
    let origin = match item.get("source").and_then(Json::str) {
        None if inside.is_some() => Origin::Ours,
        None => Origin::Folder,
        Some(source) if source.starts_with("registry+") || source.starts_with("sparse+") => {
            Origin::Registry(source.to_owned())
        }
        Some(source) => Origin::Other(source.to_owned()),
    };
    let manifest = inside.unwrap_or(&whole).replace('\\', "/");
    let dependencies =
        item.get("dependencies").map_or(&[][..], Json::array).iter().map(|dependency| {
            let dev = dependency.get("kind").and_then(Json::str) == Some("dev");
            Ok(Dependency { name: field(dependency, "name")?, dev })
        });
    Ok(Package {
        name: field(item, "name")?,
        version: field(item, "version")?,
        licence: item.get("license").and_then(Json::str).map(str::to_owned),
        manifest: ours.then(|| manifest.trim_start_matches('/').to_owned()),
        origin,
        dependencies: dependencies.collect::<Result<_, String>>()?,
    })
}

pub(crate) fn field(item: &Json, key: &str) -> Result<String, String> {
    let text = item.get(key).and_then(Json::str);
    text.map(str::to_owned).ok_or_else(|| format!("cargo metadata has no text at {key:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_our_crates_and_foreign_ones() {
        let text = r#"{"workspace_root":"/w","packages":[
            {"name":"ours","version":"0.1.0","license":"MIT","source":null,"manifest_path":"/w/crates/ours/Cargo.toml",
             "dependencies":[{"name":"serde","kind":null},{"name":"insta","kind":"dev"}]},
            {"name":"serde","version":"1.0.0","license":null,"source":"registry+x","manifest_path":"/r/serde/Cargo.toml",
             "dependencies":[]},
            {"name":"near","version":"1.0.0","license":null,"source":null,"manifest_path":"/w2/near/Cargo.toml",
             "dependencies":[]},
            {"name":"moving","version":"1.0.0","license":null,"source":"git+x","manifest_path":"/g/moving/Cargo.toml",
             "dependencies":[]}]}"#;
        let packages = packages(&json::parse(text).unwrap()).unwrap();
        assert_eq!(packages[0].manifest.as_deref(), Some("crates/ours/Cargo.toml"));
        assert_eq!(packages[0].dependencies[1], Dependency { name: "insta".to_owned(), dev: true });
        assert_eq!((packages[1].manifest.as_ref(), packages[1].licence.as_ref()), (None, None));
        let origins: Vec<&Origin> = packages.iter().map(|package| &package.origin).collect();
        let (registry, other) =
            (Origin::Registry("registry+x".to_owned()), Origin::Other("git+x".to_owned()));
        assert_eq!(origins, [&Origin::Ours, &registry, &Origin::Folder, &other]);
        assert!(super::packages(&Json::Object(Vec::new())).is_err());
    }
}
