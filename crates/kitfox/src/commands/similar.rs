//! `kitfox similar`: how alike the built-in model finds texts.

use kitfox_core::Text;
use kitfox_embed::Embedder;
use serde_json::{Value, json};

use crate::output::{Exit, print, print_json};

/// Prints the cosine of the first text and each of the others. No source is read.
pub fn similar(first: &str, others: &[String], json: bool) -> anyhow::Result<Exit> {
    let embedder = kitfox_embed::built_in();
    let cosines: Vec<Option<f32>> =
        others.iter().map(|other| cosine(&*embedder, first, other)).collect();
    if json {
        print_json(&value(embedder.fingerprint(), others, &cosines))?;
    } else {
        print(&text(others, &cosines))?;
    }
    Ok(if cosines.iter().any(Option::is_some) { Exit::Done } else { Exit::Nothing })
}

/// None where the model can read nothing of one of the two.
fn cosine(embedder: &dyn Embedder, a: &str, b: &str) -> Option<f32> {
    let (a, b) = (embedder.embed(&[&Text::new(a)])?, embedder.embed(&[&Text::new(b)])?);
    Some(a.iter().zip(&b).map(|(a, b)| a * b).sum())
}

fn text(others: &[String], cosines: &[Option<f32>]) -> String {
    let figure = |cosine: &Option<f32>| match cosine {
        Some(cosine) => format!("{cosine:.3}"),
        None => "unreadable".to_owned(),
    };
    let line = |(other, cosine)| format!("{}  {other}\n", figure(cosine));
    others.iter().zip(cosines).map(line).collect()
}

fn value(model: &str, others: &[String], cosines: &[Option<f32>]) -> Value {
    let similar: Vec<Value> = others
        .iter()
        .zip(cosines)
        .map(|(text, cosine)| json!({ "text": text, "cosine": cosine }))
        .collect();
    json!({ "model": model, "similar": similar })
}
