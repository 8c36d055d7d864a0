//! What a refused or failed call tells the agent.

use kitfox_faces::FaceError;
use serde::Serialize;

/// Why a call has no answer: a tool error, never a protocol error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Failure {
    /// A stable code.
    pub code: &'static str,
    /// The parameter at fault, if one is.
    pub parameter: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What may be given instead, where that is a list.
    pub allowed: Vec<String>,
    /// The known names nearest to the one given, best first.
    pub near: Vec<String>,
    /// What to do instead.
    pub hint: Option<String>,
}

impl Failure {
    /// A failure of kitfox itself.
    pub(crate) fn internal(message: impl Into<String>) -> Failure {
        Failure {
            code: "internal",
            message: message.into(),
            hint: Some("This is a fault of kitfox; other calls still work.".to_string()),
            ..Failure::default()
        }
    }

    /// Everything the fields say as sentences, for clients that show nothing else.
    pub(crate) fn text(&self) -> String {
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
        text
    }
}

impl From<FaceError> for Box<Failure> {
    fn from(error: FaceError) -> Box<Failure> {
        Box::new(Failure {
            code: error.code,
            parameter: error.parameter.map(str::to_string),
            message: error.message,
            allowed: error.allowed,
            near: error.near,
            hint: error.hint,
        })
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
