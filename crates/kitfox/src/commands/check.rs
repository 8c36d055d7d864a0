//! `kitfox check`: reads every index, and every journal of written records, and compares it with its
//! checksums.

use kitfox_core::Damage;
use kitfox_keeper::{Index, PATIENCE, Run, kind_name};
use serde_json::{Value, json};

use crate::output::{Exit, print, print_json};
use crate::workspace::Workspace;

/// Runs the command. Unless it is to repair, it changes nothing, whatever it finds.
pub fn check(workspace: &Workspace, repair: bool, json: bool) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut values = Vec::new();
    for index in &workspace.indexes {
        let checked = Checked::of(index, repair)?;
        if (!checked.damage.is_empty() && !checked.repaired) || checked.journal.is_some() {
            exit = Exit::Nothing;
        }
        if !json {
            print(&checked.text())?;
        }
        values.push(checked.value());
    }
    if json {
        print_json(&json!({ "sources": values }))?;
    }
    Ok(exit)
}

struct Checked<'a> {
    index: &'a Index,
    damage: Vec<Damage>,
    repaired: bool,
    /// What is wrong with the journal of written records, which nothing can build anew.
    journal: Option<String>,
}

impl Checked<'_> {
    fn of(index: &Index, repair: bool) -> anyhow::Result<Checked<'_>> {
        let damage = index.damage()?;
        let repaired = repair && !damage.is_empty();
        if repaired {
            index.refresh(&Run { repair, ..Run::default() }, PATIENCE)?;
        }
        let journal = index.journal().and_then(|journal| journal.damage());
        Ok(Checked { index, damage, repaired, journal })
    }

    fn text(&self) -> String {
        let source = &self.index.source;
        let title = format!("{} ({})", source.name, kind_name(source.kind));
        let outcome = match (self.damage.is_empty(), self.repaired) {
            (true, _) if self.journal.is_some() => "its records are damaged",
            (true, _) => "all is well",
            (false, true) => "was damaged, and is built anew",
            (false, false) => "damaged; `kitfox check --repair` builds it anew",
        };
        let mut text = format!("{title}: {outcome}\n");
        for Damage { file, problem } in &self.damage {
            text.push_str(&format!("  {file}: {problem}\n"));
        }
        if let Some(problem) = &self.journal {
            text.push_str(&format!("  {problem}\n"));
        }
        text
    }

    fn value(&self) -> Value {
        let source = &self.index.source;
        let damage: Vec<Value> = self
            .damage
            .iter()
            .map(|Damage { file, problem }| json!({ "file": file, "problem": problem }))
            .collect();
        json!({
            "source": source.name,
            "kind": kind_name(source.kind),
            "damage": damage,
            "repaired": self.repaired,
            "journal": self.journal,
        })
    }
}
