//! `kitfox check`: reads every index and compares it with its checksums.

use kitfox_core::{Damage, Engine, Error};
use kitfox_keeper::{Index, IndexError, PATIENCE, kind_name};
use kitfox_sync::Source;
use serde_json::{Value, json};

use crate::config::Settings;
use crate::output::{Exit, note, print, print_json};

/// Runs the command. It replaces nothing, whatever it finds.
pub fn check(settings: &Settings, json: bool) -> anyhow::Result<Exit> {
    let mut exit = Exit::Done;
    let mut values = Vec::new();
    for source in &settings.sources {
        let damage = damage(settings, source)?;
        if !damage.is_empty() {
            exit = Exit::Nothing;
        }
        if !json {
            print(&text(source, &damage))?;
        }
        values.push(value(source, &damage));
    }
    if json {
        print_json(&json!({ "sources": values }))?;
    }
    Ok(exit)
}

fn damage(settings: &Settings, source: &Source) -> Result<Vec<Damage>, IndexError> {
    let embedder = kitfox_embed::built_in();
    let index = match Index::open(source, &settings.data_dir, &embedder, "kitfox check", note) {
        Err(IndexError::Engine(Error::Damaged { detail })) => return Ok(whole(detail)),
        opened => opened?,
    };
    // A writer merges and removes files while they are read. One that never pauses is put up with.
    let _turn = index.turn(PATIENCE);
    match index.engine.check() {
        Err(Error::Damaged { detail }) => Ok(whole(detail)),
        checked => Ok(checked?),
    }
}

/// Damage that is not one file's.
fn whole(problem: String) -> Vec<Damage> {
    vec![Damage { file: "index".to_owned(), problem }]
}

fn text(source: &Source, damage: &[Damage]) -> String {
    let title = format!("{} ({})", source.name, kind_name(source.kind));
    if damage.is_empty() {
        return format!("{title}: all is well\n");
    }
    let mut text = format!("{title}: damaged; `kitfox index --verify` builds it anew\n");
    for Damage { file, problem } in damage {
        text.push_str(&format!("  {file}: {problem}\n"));
    }
    text
}

fn value(source: &Source, damage: &[Damage]) -> Value {
    let damage: Vec<Value> = damage
        .iter()
        .map(|Damage { file, problem }| json!({ "file": file, "problem": problem }))
        .collect();
    json!({ "source": source.name, "kind": kind_name(source.kind), "damage": damage })
}
