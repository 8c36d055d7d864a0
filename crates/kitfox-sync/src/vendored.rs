//! Folders of code that others wrote and that was copied into a project.

use std::path::Path;

/// Whether a folder of a project holds code of others. One called `vendor` does where a package
/// manager or the root of a repository puts it: elsewhere it may be about vendors.
pub(crate) fn is_vendored(folder: &Path) -> bool {
    let Some(name) = folder.file_name().and_then(|name| name.to_str()) else { return false };
    let name = name.to_ascii_lowercase();
    let has_manifest = |above: &Path| MANIFESTS.iter().any(|name| above.join(name).exists());
    FOLDERS.contains(&name.as_str())
        || name == "vendor" && folder.parent().is_some_and(has_manifest)
}

/// In lower case.
const FOLDERS: &[&str] = &[
    "3rdparty",
    "3rd_party",
    "_vendor",
    "bower_components",
    "carthage",
    "godeps",
    "jspm_packages",
    "node_modules",
    "pods",
    "site-packages",
    "third-party",
    "third_party",
    "thirdparty",
];

/// What lies beside a folder `vendor` that holds code of others.
const MANIFESTS: &[&str] =
    &[".git", "Cargo.toml", "Gemfile", "composer.json", "go.mod", "package.json"];

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn folders_of_others_are_told_by_name_and_place() {
        let root = tempfile::tempdir().unwrap();
        let check = |folder: &str, expected| {
            assert_eq!(is_vendored(&root.path().join(folder)), expected, "{folder}");
        };
        fs::create_dir(root.path().join("go")).unwrap();
        fs::write(root.path().join("go/go.mod"), "").unwrap();
        check("a/node_modules", true);
        check("Third_Party", true);
        check("go/vendor", true);
        check("go/shop/vendor", false);
        check("vendor", false);
        check("vendors", false);
    }
}
