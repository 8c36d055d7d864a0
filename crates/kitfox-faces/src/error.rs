//! The error of every face: what is wrong, with which parameter, and how to say it right.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;

/// A request that cannot be answered.
///
/// `Display` says all of it in sentences fit for a person; the fields say the same to a program. No
/// field carries a host path.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error, Serialize)]
#[non_exhaustive]
pub struct FaceError {
    /// A stable code: `unknown_project`, `unknown_category`, `invalid_scope` and so on.
    pub code: &'static str,
    /// The parameter at fault, if one is.
    pub parameter: Option<Cow<'static, str>>,
    /// What is wrong, in one sentence.
    pub message: String,
    /// What the parameter may be, where that is a list; bounded.
    pub allowed: Vec<String>,
    /// The known names nearest to the one given, best first.
    pub near: Vec<String>,
    /// What to do instead.
    pub hint: Option<String>,
}

impl fmt::Display for FaceError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = self.message.clone();
        if !self.near.is_empty() {
            text.push_str(&format!("; did you mean {}?", quoted(&self.near, " or ")));
        }
        if let Some(hint) = &self.hint {
            append(&mut text, hint);
        }
        // Messages and hints often name what is allowed already.
        let said = |name: &String| text.contains(&format!("`{name}`"));
        if self.near.is_empty() && !self.allowed.iter().all(said) {
            append(&mut text, &format!("Allowed: {}.", quoted(&self.allowed, ", ")));
        }
        formatter.write_str(&text)
    }
}

fn append(text: &mut String, sentence: &str) {
    text.push_str(if text.ends_with(['.', '?']) { " " } else { ". " });
    text.push_str(sentence);
}

fn quoted(names: &[String], separator: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(separator)
}

/// Names an error lists at most.
const LISTED: usize = 50;
/// Near names an error offers at most.
const NEAR: usize = 3;
/// Characters of an input an error repeats at most.
const REPEATED: usize = 200;

impl FaceError {
    /// An error of this code with nothing but a sentence.
    pub fn new(code: &'static str, message: impl Into<String>) -> FaceError {
        let (parameter, allowed, near, hint) = (None, Vec::new(), Vec::new(), None);
        FaceError { code, parameter, message: message.into(), allowed, near, hint }
    }

    /// Says which parameter is at fault.
    pub fn at(mut self, parameter: impl Into<Cow<'static, str>>) -> FaceError {
        self.parameter = Some(parameter.into());
        self
    }

    /// Says what to do instead.
    pub fn hint(mut self, hint: impl Into<String>) -> FaceError {
        self.hint = Some(hint.into());
        self
    }

    /// Lists what the parameter may be, as far as an error should.
    pub fn allow<'a>(mut self, names: impl IntoIterator<Item = &'a str>) -> FaceError {
        self.allowed = names.into_iter().take(LISTED).map(str::to_owned).collect();
        self
    }

    /// Offers the nearest of the known names.
    pub fn nearest_to<'a>(
        mut self,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> FaceError {
        self.near = nearest(name, known);
        self
    }

    /// A name nobody knows, with the near ones and those there are.
    pub(crate) fn unknown<'a>(
        code: &'static str,
        parameter: &'static str,
        what: &str,
        name: &str,
        known: impl IntoIterator<Item = &'a str>,
    ) -> FaceError {
        let known: Vec<&str> = known.into_iter().collect();
        let mut error = FaceError::new(code, format!("there is no {what} {}", quote(name)))
            .nearest_to(name, known.iter().copied());
        if error.near.is_empty() && known.len() <= NEAR * 3 && !known.is_empty() {
            let names: Vec<String> = known.iter().map(|name| quote(name)).collect();
            error = error.hint(format!("There is: {}.", names.join(", ")));
        }
        error.at(parameter).allow(known)
    }

    /// A number outside its range.
    pub(crate) fn limit(found: usize, most: usize) -> FaceError {
        FaceError::new("invalid_limit", format!("`limit` is {found}, and may be 1 to {most}"))
            .at("limit")
    }

    /// A query that says nothing.
    pub(crate) fn empty_query(parameter: &'static str) -> FaceError {
        FaceError::new("empty_query", format!("`{parameter}` is empty"))
            .at(parameter)
            .hint("Say what to find.")
    }

    /// An engine's error, without whatever it knows of this machine.
    pub(crate) fn engine(source: &str, error: &kitfox_core::Error) -> FaceError {
        use kitfox_core::Error;
        let (code, problem) = match error {
            Error::Busy => ("index_busy", "is being written by another process"),
            Error::Damaged { .. } => ("index_damaged", "is damaged"),
            Error::Dimension { .. } => ("index_outdated", "was made with another embedding model"),
            _ => ("index_unreadable", "cannot be read"),
        };
        FaceError::new(code, format!("the index of `{source}` {problem}"))
            .hint("`kitfox check --repair` builds anew what is damaged.")
    }
}

/// The known names nearest to one.
pub(crate) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let short: String = name.chars().take(REPEATED).collect();
    kitfox_core::nearest(&short, known, NEAR).into_iter().map(str::to_owned).collect()
}

/// An input repeated in a message: in backticks, cut where it is very long.
pub(crate) fn quote(input: &str) -> String {
    match input.char_indices().nth(REPEATED) {
        Some((end, _)) => format!("`{}…`", &input[..end]),
        None => format!("`{input}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_sentences_that_teach() {
        let error = FaceError::unknown("unknown_x", "x", "project", "webb", ["web", "api"]);
        assert_eq!(error.to_string(), "there is no project `webb`; did you mean `web`?");
        let error = FaceError::unknown("unknown_x", "x", "project", "zzz", ["web", "api"]);
        assert_eq!(error.to_string(), "there is no project `zzz`. There is: `web`, `api`.");
        let io = kitfox_core::Error::Damaged { detail: "/home/me/x".into() };
        assert!(!FaceError::engine("web", &io).to_string().contains("/home"));
    }
}
